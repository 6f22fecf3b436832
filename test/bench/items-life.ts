import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../db/engine/connect.js';
import { startServer as startHere, type TestAccount } from '../harness.js';
import { spawnCommand } from '../support/servers/command.js';
import { type ServerProcess, startServer } from '../support/servers/server-process.js';
import { openMigratedDatabase, openTestDatabase, postgresUrl } from '../support/stores/postgres.js';
import { until } from '../support/until.js';
import { fillItems } from './items-fill.js';
import { processorSeconds, watchMemory } from './processes.js';

/** An installation with one account of many items, and one with a tenth of them. */
interface Filled {
  readonly dataDir: string;
  /** Null for SQLite. */
  readonly databaseUrl: string | null;
  readonly many: TestAccount;
  readonly few: TestAccount;
}

/**
 * What happens once in the life of an installation with so many pastes and links: a start, exports, the deletion of an
 * account while the server is killed, a backup, and a move to the other database. Prints a row each.
 */
export async function measureLife(items: number): Promise<void> {
  const server = postgresUrl();
  const isPostgres = process.env.HOLDALL_TEST_DB === 'postgres';
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-life-'));
  const own = isPostgres && server !== null ? await openMigratedDatabase(server, randomUUID()) : null;
  const other = !isPostgres && server !== null ? await openTestDatabase(server, randomUUID()) : null;
  try {
    const filled = await fill(dataDir, own?.url ?? null, items);
    console.log(`\n${isPostgres ? 'postgres' : 'sqlite'}, ${items} items`);
    let process = await start(filled);
    await exporting(process, filled.few, '/v1/url/export?format=json', items / 20);
    await exporting(process, filled.many, '/v1/url/export?format=json', items / 2);
    await exporting(process, filled.few, '/web/settings/account/export', items / 10);
    process = await deletion(process, filled, items / 10);
    await command(process, filled, `backup of ${items}`, ['backup', join(dataDir, 'backup')]);
    await process.stop();
    const to = isPostgres ? join(dataDir, 'moved.db') : other?.url;
    if (to !== undefined) await command(process, filled, `move of ${items}`, ['move', '--to', to]);
  } finally {
    await own?.drop();
    await other?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fill(dataDir: string, databaseUrl: string | null, items: number): Promise<Filled> {
  const server = await startHere({
    DATA_DIR: dataDir,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  });
  try {
    const [many, few] = [await server.account(), await server.account()];
    process.stderr.write(`filling ${items} pastes and links\n`);
    const { db } = server.app.services;
    await fillItems(db, few.id, items / 10, { images: false, begin: 'few' });
    await fillItems(db, many.id, items, { images: false });
    return { dataDir, databaseUrl, many, few };
  } finally {
    await server.close();
  }
}

const variables = ({ databaseUrl }: Filled): Record<string, string> =>
  databaseUrl === null ? {} : { DATABASE_URL: databaseUrl };

const row = (what: string, seconds: number, more: string): void =>
  console.log(`${what.padEnd(44)} ${seconds.toFixed(1).padStart(7)} s  ${more}`);

const since = (from: number): number => (performance.now() - from) / 1000;

async function start(filled: Filled): Promise<ServerProcess> {
  const from = performance.now();
  const server = await startServer({ dataDir: filled.dataDir, env: variables(filled) });
  row('start', since(from), `processor ${processorSeconds(server.pid)?.toFixed(1)} s`);
  return server;
}

async function exporting(
  server: ServerProcess,
  { key }: TestAccount,
  path: string,
  count: number,
): Promise<void> {
  const [from, spent, peak] = [performance.now(), processorSeconds(server.pid) ?? 0, watchMemory(server.pid)];
  const answer = await fetch(`${server.origin}${path}`, { headers: { 'x-api-key': key } });
  if (answer.status !== 200 || answer.body === null) throw new Error(`${path}: ${answer.status}`);
  let bytes = 0;
  for await (const piece of answer.body) bytes += (piece as Uint8Array).length;
  const each = (1000 * ((processorSeconds(server.pid) ?? 0) - spent)) / count;
  row(
    `${path.split('?')[0]} of ${count}`,
    since(from),
    `processor ${each.toFixed(3)} ms each, ${(bytes / 2 ** 20).toFixed(1)} MiB, memory at most ${peak()?.toFixed(0)} MiB`,
  );
}

/** Deletes an account, kills the server when about half is gone, and waits until the next one has removed the rest. */
async function deletion(server: ServerProcess, filled: Filled, count: number): Promise<ServerProcess> {
  const db = await openDb({ databaseUrl: filled.databaseUrl, dataDir: filled.dataDir });
  try {
    const { key, id, password } = filled.few;
    const left = async (): Promise<number> => {
      const [pastes, links] = await Promise.all(
        ['pastes', 'short_urls'].map((table) =>
          db.read(table).where('owner_id', id).count('id as n').first(),
        ),
      );
      return Number(pastes?.n) + Number(links?.n);
    };
    const [from, before] = [performance.now(), processorSeconds(server.pid) ?? 0];
    const answer = await fetch(`${server.origin}/v1/user/get/@me?password=${encodeURIComponent(password)}`, {
      method: 'DELETE',
      headers: { 'x-api-key': key },
    });
    if (answer.status !== 200) throw new Error(`the account is not deleted: ${await answer.text()}`);
    row(`deletion of ${count}, acknowledged`, since(from), '');
    await until(async () => (await left()) < count / 2);
    const spent = (processorSeconds(server.pid) ?? 0) - before;
    await server.kill();
    const killedAt = await left();
    const next = await start(filled);
    // A job of a worker that was killed is taken up when its lock has expired.
    await db.write((trx) => trx('jobs').update({ locked_until: 0 }));
    await until(async () => (await left()) === 0);
    row(
      `all of it, with ${killedAt} left at the kill`,
      since(from),
      `processor of the first ${spent.toFixed(1)} s, of the second ${processorSeconds(next.pid)?.toFixed(1)} s`,
    );
    return next;
  } finally {
    await db.close();
  }
}

async function command(
  server: ServerProcess,
  filled: Filled,
  what: string,
  args: readonly string[],
): Promise<void> {
  const from = performance.now();
  const child = spawnCommand({ folder: filled.dataDir, server }, args, variables(filled));
  child.stdin.end();
  const peak = watchMemory(child.pid ?? 0);
  let said = '';
  let spent = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text: Buffer) => {
      said = `${said}${text}`.slice(-400);
    });
  const timer = setInterval(() => {
    spent = processorSeconds(child.pid ?? 0) || spent;
  }, 100);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (code !== 0) throw new Error(`${what}: ${said}`);
  row(what, since(from), `processor ${spent.toFixed(1)} s, memory at most ${peak()?.toFixed(0)} MiB`);
}
