/**
 * POSTGRES_SUBSET: PostgreSQL without what engines lack that speak its protocol, which refuses whoever uses it, and with
 * serialisable transactions. Two servers start at once on an empty database, and everything is exact between them.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb } from '../../db/engine/connect.js';
import { migrate } from '../../db/engine/migrate.js';
import statements from '../../db/engine/subset-tables.json' with { type: 'json' };
import { migrationSource } from '../../db/migrations/index.js';
import { OWNER, type ServerProcess, startServer } from '../support/servers/server-process.js';
import { skipping } from '../support/skip.js';
import { openSubsetDatabase, postgresUrl, type TestDatabase } from '../support/stores/postgres.js';
import { until } from '../support/until.js';

interface World {
  dataDir: string;
  database: TestDatabase;
}

const address = postgresUrl();
const test = suite<World>('engines that speak the protocol of PostgreSQL');

test.before.each(async (world) => {
  if (address === null) return;
  world.dataDir = await mkdtemp(join(tmpdir(), 'holdall-subset-'));
  world.database = await openSubsetDatabase(address, randomUUID());
});
test.after.each(async (world) => {
  if (address === null) return;
  await world.database.drop();
  await rm(world.dataDir, { recursive: true, force: true });
});

const headers = { 'x-api-key': OWNER.OWNER_API_KEY };
const start = ({ dataDir, database }: World, more: Readonly<Record<string, string>> = {}) =>
  startServer({
    dataDir,
    env: {
      DATABASE_URL: database.url,
      POSTGRES_SUBSET: 'on',
      LOG_LEVEL: 'warn',
      METRICS_TOKEN: 'm',
      ...more,
    },
  });

async function call(server: ServerProcess, method: string, path: string, json?: object) {
  const response = await fetch(`${server.origin}/v1${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: json === undefined ? null : JSON.stringify(json),
  });
  const body = await response.json();
  assert.is(response.status, 200, `${method} ${path}: ${JSON.stringify(body)}`);
  return body;
}

if (address === null) skipping('PostgreSQL: TEST_DATABASE_URL is not set');
else {
  test('each feature is refused that is taken away', async ({ database }) => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const refusal = async (sql: string) => {
      const error = await client.query(sql).then(
        () => null,
        (reason: { code?: string }) => reason,
      );
      await client.query('ROLLBACK');
      return error?.code;
    };
    assert.is(await refusal('SELECT pg_advisory_xact_lock(1)'), '42501');
    assert.is(await refusal('SELECT pg_database_size(current_database())'), '42501');
    await client.query('BEGIN');
    assert.is(await refusal('CREATE TABLE a (b int)'), '0A000');
    assert.is(await refusal('CREATE UNLOGGED TABLE a (b int)'), '0A000');
    await client.query('CREATE TABLE a (b tsvector)');
    assert.is(await refusal('CREATE INDEX c ON a USING gin (b)'), '0A000');
    assert.equal((await client.query('SHOW transaction_isolation')).rows, [
      { transaction_isolation: 'serializable' },
    ]);
    await client.end();
    const db = await openDb({ databaseUrl: database.url, dataDir: '' });
    const failure = await migrate(db).catch((error: { code?: string }) => error.code);
    await db.close();
    assert.is(failure, '42501', 'PostgreSQL itself is used in full');
  });

  test('two servers that start at once share the tables; limits are exact, searches find', async (world) => {
    const servers = await Promise.all([start(world), start(world)]);
    try {
      const [one, other] = servers as [ServerProcess, ServerProcess];
      const at = (index: number) => (index % 2 === 0 ? one : other);

      const link = await call(one, 'POST', '/url/create', { url: 'https://example.org/', maxUses: 7 });
      const visits = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          fetch(`${at(index).origin}/v1/url/r/${link.uniqueId}`, { redirect: 'manual' }),
        ),
      );
      assert.is(visits.filter(({ status }) => status === 301 || status === 302).length, 7);

      const form = new FormData();
      form.set('maxViews', '5');
      form.set('file', new Blob(['seen five times']), 'five.txt');
      const sent = await fetch(`${one.origin}/v1/image/upload`, { method: 'POST', headers, body: form });
      const { uniqueId } = (await sent.json()) as { uniqueId: string };
      const views = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          fetch(`${at(index).origin}/v1/image/get/${uniqueId}?raw=true`),
        ),
      );
      assert.is(views.filter(({ status }) => status === 200).length, 5);
      const refusals = [...visits, ...views].filter(({ status }) => status >= 500);
      assert.is(refusals.length, 0, 'what is given back is repeated');

      const paste = await call(other, 'POST', '/paste/create', { text: 'the quick brown fox jumps' });
      await call(other, 'POST', '/paste/create', { text: 'brown and quick is not a phrase of it' });
      for (const [search, count] of [
        ['brown', 2],
        ['"quick brown"', 1],
        ['jum', 1],
        ['brown -fox', 1],
        ['elephant', 0],
      ] as const) {
        const path = `/user/get/@me/items?search=${encodeURIComponent(search)}`;
        assert.is((await call(one, 'GET', path)).message.totalElements, count, search);
      }
      await call(one, 'DELETE', `/paste/get/${paste.uniqueId}`);
      const left = await call(other, 'GET', '/user/get/@me/items?search=jumps');
      assert.is(left.message.totalElements, 0);

      const metrics = () =>
        fetch(`${one.origin}/metrics`, { headers: { authorization: 'Bearer m' } }).then((got) => got.text());
      assert.match(await metrics(), /^holdall_database_up 1$/m);
      assert.not.match(await metrics(), /^holdall_database_bytes/m, 'nobody can say how large it is');
      // Thumbhashes and the like are done by one of the two.
      await until(async () => !/state="waiting"\} [1-9]/.test(await metrics()));
      for (const { output } of servers) assert.not.match(output(), /"level":(?:50|60)/);
    } finally {
      for (const server of servers) assert.is(await server.stop(), 0);
    }
  });

  test('the newest migration needs nothing else either', async ({ database }) => {
    const db = await openDb({ databaseUrl: database.url, dataDir: '', postgresSubset: true });
    try {
      await migrate(db);
      const newest = (await migrationSource.getMigrations([])).at(-1);
      if (newest === undefined) throw new Error('there are migrations');
      await newest.down(db.admin);
      await db.admin('knex_migrations').where('name', newest.name).delete();
      assert.equal(await migrate(db), [newest.name]);
      assert.equal(await migrate(db), []);
    } finally {
      await db.close();
    }
  });

  test('a start goes on where another one was killed while it made the tables', async (world) => {
    const client = new pg.Client({ connectionString: world.database.url });
    await client.connect();
    for (const statement of statements.slice(0, statements.length / 2)) await client.query(statement);
    const server = await start(world);
    await call(server, 'POST', '/paste/create', { text: 'there' });
    assert.is(await server.stop(), 0);
    const again = await start(world);
    assert.is(await again.stop(), 0);
    const { rows } = await client.query(
      'SELECT count(*)::int AS n, count(DISTINCT name)::int AS d FROM knex_migrations',
    );
    assert.is(rows[0].n, rows[0].d, 'each migration is noted once');
    await client.end();
  });
}

test.run();
