import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SqliteConnection } from '../../db/engine/clients/sqlite-client.js';
import { type Db, openDb, openSqliteFile } from '../../db/engine/connect.js';
import { createSearchReader, SearchEnded } from '../../db/engine/search-reader.js';
import { databaseKinds } from '../support/stores/databases.js';
import { openTestDatabase, postgresUrl } from '../support/stores/postgres.js';
import { encryptedOnly } from '../support/stores/postgres-encrypted.js';

const test = suite('the reader for searches');

/** A statement that never ends by itself. */
const ENDLESS =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i > 0) SELECT count(*) FROM n WHERE i < 0';

const staying = () => new AbortController().signal;
const errorOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);
const isEnded = (error: unknown) => assert.instance(error, SearchEnded);

for (const kind of databaseKinds()) {
  const on = (name: string, run: (db: Db) => Promise<void>) =>
    test(`${kind.name}: ${name}`, async () => {
      const database = await kind.make();
      try {
        await run(await database.open());
      } finally {
        await database.remove();
      }
    });

  on('a statement that takes too long is ended, and the next one works', async (db) => {
    isEnded(await errorOf(db.search.query(ENDLESS, [], staying())));
    assert.equal(await db.search.query('SELECT 1 AS n', [], staying()), [{ n: 1 }]);
  });

  on('a statement ends when its caller leaves, and one that waits never begins', async (db) => {
    const leaving = new AbortController();
    const asked = [ENDLESS, ENDLESS].map((sql) => errorOf(db.search.query(sql, [], leaving.signal)));
    leaving.abort();
    for (const error of await Promise.all(asked)) isEnded(error);
    assert.equal(await db.search.query('SELECT 1 AS n', [], staying()), [{ n: 1 }]);
  });

  on('other reads and writes are answered while searches run and wait', async (db) => {
    const leaving = new AbortController();
    let ended = 0;
    const searches = Array.from({ length: 20 }, async () => {
      isEnded(await errorOf(db.search.query(ENDLESS, [], leaving.signal)));
      ended += 1;
    });
    for (let read = 0; read < 50; read += 1) await db.read.raw('SELECT 1');
    await db.write((trx) => trx.raw('SELECT 1'));
    assert.ok(ended < searches.length, 'they were answered before all searches were over');
    leaving.abort();
    await Promise.all(searches);
  });
}

test('however long an interrupt takes, only one is under way, and none after the statement', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdall-search-'));
  const pool = openSqliteFile(join(folder, 'a.db'));
  let [told, underWay, mostUnderWay] = [0, 0, 0];
  const reader = createSearchReader<SqliteConnection>(pool, async (connection) => {
    told += 1;
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    // As long as thirty of the shortest pauses between two.
    for (let tick = 0; tick < 30; tick += 1) await delay(50);
    if (told > 1) connection.interrupt();
    underWay -= 1;
  });
  try {
    isEnded(await errorOf(reader.query(ENDLESS, [], staying())));
    assert.is(mostUnderWay, 1);
    assert.is(underWay, 0);
    assert.ok(told < 6, `${told} times`);
  } finally {
    await reader.close();
    await rm(folder, { recursive: true });
  }
});

const server = postgresUrl();
if (server !== null)
  test('PostgreSQL: a statement is told to end by a connection that is encrypted like its own', async () => {
    const database = await openTestDatabase(server, randomUUID());
    const front = await encryptedOnly(database.url);
    const db = await openDb({ databaseUrl: `${front.url}?sslmode=no-verify`, dataDir: tmpdir() });
    try {
      isEnded(await errorOf(db.search.query(ENDLESS, [], staying())));
      assert.equal(await db.search.query('SELECT 1 AS n', [], staying()), [{ n: 1 }]);
      assert.is(front.plain, 0);
    } finally {
      await db.close();
      await front.close();
      await database.drop();
    }
  });

test.run();
