/**
 * A server that is killed (SIGKILL) while it upgrades the database of an older version, in its migrations and while it
 * fills the index of searches, on both databases. Operators see where it is; afterwards the next start finishes, and
 * everything is there and is found.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../db/engine/connect.js';
import { query } from '../../db/engine/query.js';
import { migrationSource } from '../../db/migrations/index.js';
import { isFilled } from '../../db/search/fill.js';
import { launchServer, OWNER, startServer } from '../support/servers/server-process.js';
import { databaseKinds, type OwnDatabase } from '../support/stores/databases.js';
import { printed, until } from '../support/until.js';

/** Migrations of the older version. */
const OLD = 2;
/** Of each kind; the index takes a thousand in a step. */
const ITEMS = 4_000;
const KILLS = Number(process.env.HOLDALL_FAULT_ROUNDS ?? 2);

const MIGRATING = /"migration":"\d+_\w+","place":\d+,"all":\d+.*migrating the database/;
const FILLING = /"done":\d+,"all":\d+.*filling the index of searches/;
const LISTENING = /listening/;

/** Items of an account as an older version kept them. */
async function fillOld(db: Db): Promise<void> {
  for (let made = 0; made < OLD; made += 1) await db.admin.migrate.up({ migrationSource });
  await db.write(async (trx) => {
    await trx('users').insert({
      ...{ username: 'ada', username_key: 'ada', email: 'ada@example.org', email_key: 'ada@example.org' },
      ...{ role: 'USER', status: 'ACTIVE', created_at: 1, password_hash: '' },
    });
    const insert = (table: string, letter: string, columns: Record<string, string>) => {
      const all: Record<string, string> = {
        ...{ unique_id: `'${letter}' || n`, lookup_id: `lower('${letter}') || n`, owner_id: '1' },
        ...{ is_public: 'true', shadowed: 'false', created_at: '1700000000000 + n', ...columns },
      };
      return query(
        trx,
        `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ITEMS})
         INSERT INTO ${table} (${Object.keys(all).join(', ')}) SELECT ${Object.values(all).join(', ')} FROM numbers`,
      );
    };
    await insert('pastes', 'P', { content: "'kept word' || n", size: '9', burn: 'false' });
    await insert('short_urls', 'U', { original_url: "'https://example.org/kept/word' || n", visits: '0' });
  });
}

for (const { name, make } of databaseKinds()) {
  const test = suite<{ database: OwnDatabase }>(`killed while it upgrades: ${name}`);
  test.before(async (context) => {
    context.database = await make();
  });
  test.after(({ database }) => database.remove());

  test('each start says where it is, and the last one has everything', async ({ database }) => {
    const db = await database.open();
    await fillOld(db);
    const { dataDir, databaseUrl } = database.location;
    const options = { dataDir, env: { DATABASE_URL: databaseUrl ?? undefined } };
    const said: string[] = [];
    for (const line of [MIGRATING, FILLING])
      for (let kill = 0; kill < KILLS; kill += 1) {
        const server = await launchServer(options);
        // A start that came to its end before it could be killed leaves nothing to say to the next one.
        await printed(server, new RegExp(`${line.source}|${LISTENING.source}`));
        await server.kill();
        said.push(server.output());
      }
    for (const line of [MIGRATING, FILLING]) assert.match(said.join(''), line);
    const server = await startServer(options);
    try {
      // What killed starts have left is filled beside requests.
      await until(() => isFilled(db));
      const found = async (kind: string, search: string) => {
        const path = `${server.origin}/v1/admin/${kind}?search=${search}`;
        const answer = await fetch(path, { headers: { 'x-api-key': OWNER.OWNER_API_KEY } });
        const { message } = (await answer.json()) as { message: { totalElements: number } };
        return message.totalElements;
      };
      for (const kind of ['pastes', 'urls'])
        assert.equal([await found(kind, 'kept'), await found(kind, `word${ITEMS}`)], [ITEMS, 1], kind);
    } finally {
      assert.is(await server.stop(), 0);
    }
  });

  test.run();
}
