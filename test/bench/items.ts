/**
 * `npm run bench:items [-- --items=1000000 --requests=30]`: what searches, tags and lists cost an account that has that
 * many items, in processor time of the server and, on PostgreSQL, of its database (on the same machine). Fills SQLite and
 * the database at TEST_DATABASE_URL, which takes minutes. Fails if a request costs more than `AIM_MS`. Then what a start, an
 * export, the deletion of a tenth with a kill in the middle, a backup and a move take (`items-life.ts`); `--only=life` for
 * these alone, `--only=requests` for the others.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { query } from '../../db/engine/query.js';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { postgresUrl } from '../support/stores/postgres.js';
import { fillItems } from './items-fill.js';
import { measureLife } from './items-life.js';

const AIM_MS = 50;
/** Of the operating system, in which processor time is counted. */
const TICK_MS = 10;

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '30' },
    only: { type: 'string' },
  },
});
const items = Number(values.items);
const requests = Number(values.requests);

/** The requests that are measured. Every item has `common`, one in a thousand each other word. */
const CASES = [
  ['search, a rare word', '/user/get/@me/items?search=word123'],
  ['search, a beginning', '/user/get/@me/items?search=wor'],
  ['search, a word of every item', '/user/get/@me/items?search=common'],
  ['search, two words and one excluded', '/user/get/@me/items?search=common%20word7%20-other3'],
  ['search, by name', '/user/get/@me/items?search=word123&sort=name'],
  ['tags', '/user/get/@me/tags'],
  ['list of a tag', '/user/get/@me/items?tag=tag7'],
  ['list', '/user/get/@me/items'],
  ['list, page 100', '/user/get/@me/items?page=100'],
  ['list, page 5,000', '/user/get/@me/items?page=5000'],
  ['list by name', '/user/get/@me/items?sort=name'],
  ['list by name, page 5,000', '/user/get/@me/items?sort=name&page=5000'],
  ['list by size', '/user/get/@me/items?sort=size'],
  ['list of what few are, private', '/user/get/@me/items?visibility=private'],
  ['list of what most are, by name', '/user/get/@me/items?visibility=public&sort=name'],
  ['list of pastes, the oldest first', '/user/get/@me/items?kind=paste&sort=oldest'],
  ['trash', '/user/get/@me/trash'],
] as const;

/** Processor time of the processes of the database so far, in milliseconds; 0 if it has none of its own here. */
async function databaseMs({ app }: TestServer): Promise<number> {
  const { db } = app.services;
  if (db.dialect.name !== 'postgres') return 0;
  const backends = await query<{ pid: number }>(
    db.read,
    'SELECT pid FROM pg_stat_activity WHERE datname = current_database()',
    [],
  );
  return backends.reduce((sum, { pid }) => {
    try {
      const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
      const fields = after.split(' ');
      return sum + (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    } catch {
      // On another machine, or gone.
      return sum;
    }
  }, 0);
}

async function measure(server: TestServer, { key }: TestAccount, path: string) {
  const ask = async () => {
    // Not `request`, which compares each answer with the document of the interface.
    const answer = await fetch(`http://127.0.0.1:${server.app.address.port}/v1${path}`, {
      headers: { 'x-api-key': key },
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 200)}`);
  };
  for (let warm = 0; warm < 3; warm += 1) await ask();
  const [own, database] = [process.cpuUsage(), await databaseMs(server)];
  for (let count = 0; count < requests; count += 1) await ask();
  const { user, system } = process.cpuUsage(own);
  const ofDatabase = (await databaseMs(server)) - database;
  return { server: (user + system) / 1000 / requests, database: ofDatabase / requests };
}

/** Measures the requests; whether each keeps to the aim. */
async function measureRequests(name: string): Promise<boolean> {
  const server = await startServer({ TRASH_DAYS: '7' });
  try {
    const account = await server.account();
    process.stderr.write(`${name}: filling ${items} items\n`);
    await fillItems(server.app.services.db, account.id, items);
    console.log(`\n${name}, ${items} items: milliseconds of processor time for a request`);
    let isKept = true;
    for (const [what, path] of CASES) {
      const cost = await measure(server, account, path);
      const sum = cost.server + cost.database;
      isKept &&= sum <= AIM_MS;
      console.log(
        `${what.padEnd(36)} ${sum.toFixed(1).padStart(7)}  (server ${cost.server.toFixed(1)}, database ${cost.database.toFixed(1)})${sum > AIM_MS ? '  more than the aim' : ''}`,
      );
    }
    return isKept;
  } finally {
    await server.close();
  }
}

for (const name of ['sqlite', ...(postgresUrl() === null ? [] : ['postgres'])]) {
  process.env.HOLDALL_TEST_DB = name;
  if (values.only !== 'life' && !(await measureRequests(name))) process.exitCode = 1;
  if (values.only !== 'requests') await measureLife(items);
}
