import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Db } from '../../db/engine/connect.js';
import { SearchEnded } from '../../db/engine/search-reader.js';
import { databaseKinds } from '../support/stores/databases.js';

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

test.run();
