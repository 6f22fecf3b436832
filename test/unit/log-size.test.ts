/** SQLite's log of changes: what a long reader lets it grow to is given back once the reader has left. */
import { rm, stat } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openDb, openSqliteFile, sqliteFile } from '../../db/engine/connect.js';
import { query } from '../../db/engine/query.js';
import { newDataDir } from '../support/stores/sqlite.js';
import { until } from '../support/until.js';

const test = suite('log of the embedded database');
const MIB = 2 ** 20;

test('a log that grew behind a reader has at most 64 MiB soon after it has left', async () => {
  const dataDir = await newDataDir('log');
  const file = sqliteFile(dataDir);
  const size = async () => (await stat(`${file}-wal`)).size;
  const db = await openDb({ databaseUrl: null, dataDir });
  const reader = openSqliteFile(file);
  const store = (bytes: number) =>
    db.write((trx) => query(trx, 'UPDATE scratch SET bytes = randomblob(?)', [bytes]));
  try {
    await db.write((trx) => query(trx, 'CREATE TABLE scratch AS SELECT zeroblob(1) AS bytes'));
    // As a backup, which reads one state of the database for minutes.
    await reader.raw('BEGIN');
    await reader('scratch').first();
    for (let round = 0; round < 10; round += 1) await store((8 + (round % 2)) * MIB);
    assert.ok((await size()) > 64 * MIB);
    await reader.raw('COMMIT');
    await until(async () => {
      await store(16);
      return (await size()) <= 64 * MIB;
    });
  } finally {
    await reader.destroy();
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test.run();
