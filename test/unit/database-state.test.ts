import { open, readFile, stat } from 'node:fs/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, sqliteFile } from '../../db/engine/connect.js';
import { createMemo } from '../../db/engine/memo.js';
import { type DatabaseState, openSqliteState } from '../../db/engine/state.js';
import { databaseKinds } from '../support/stores/databases.js';

const test = suite('state of a SQLite database');

const sqlite = databaseKinds().find(({ name }) => name === 'SQLite');

/** Two connections to one database, as two processes have them, and the state as the first sees it. */
async function withTwo(
  run: (mine: Db, other: Db, state: DatabaseState, filename: string) => Promise<void>,
): Promise<void> {
  const database = await sqlite?.make();
  if (database === undefined) throw new Error('no SQLite');
  const mine = await database.open();
  const other = await database.open();
  await mine.admin.raw('CREATE TABLE t (n INTEGER)');
  try {
    await run(mine, other, await mine.openState(), sqliteFile(database.location.dataDir));
  } finally {
    await database.remove();
  }
}

const insert = (db: Db) => db.write(async (trx) => void (await trx('t').insert({ n: 1 })));

test('stays the same while nobody commits, whatever is read', () =>
  withTwo(async (mine, other, state) => {
    const before = state.current();
    assert.type(before, 'number');
    await mine.read('t').select();
    await other.read('t').select();
    assert.is(state.current(), before);
  }));

test('changes with every commit, also by another connection, before it is acknowledged', () =>
  withTwo(async (mine, other, state) => {
    const seen = new Set([state.current()]);
    for (const db of [mine, other, mine, other]) {
      await insert(db);
      seen.add(state.current());
    }
    assert.is(seen.size, 5);
    assert.not.ok(seen.has(null));
  }));

test('stays the same after a rollback', () =>
  withTwo(async (mine, _other, state) => {
    const before = state.current();
    const undone = mine.write(async (trx) => {
      await trx('t').insert({ n: 1 });
      throw new Error('undone');
    });
    await undone.catch(() => undefined);
    assert.is(state.current(), before);
  }));

test('detects a commit after a checkpoint that restarted the log', () =>
  withTwo(async (mine, other, state) => {
    await insert(mine);
    const before = state.current();
    await other.admin.raw('PRAGMA wal_checkpoint(TRUNCATE)');
    await insert(other);
    assert.is.not(state.current(), before);
  }));

test('is unknown while a commit is being written, and while the index is not initialised', () =>
  withTwo(async (_mine, _other, state, filename) => {
    const before = state.current();
    const file = await open(`${filename}-shm`, 'r+');
    /** Sets one byte of each of these copies of the header. */
    const set = async (at: number, value: number, ...copies: readonly number[]) => {
      for (const copy of copies) await file.write(Buffer.of(value), 0, 1, copy * 48 + at);
    };
    try {
      const header = await readFile(`${filename}-shm`);
      const [changes = 0] = header.subarray(8);
      await set(8, changes ^ 1, 0);
      assert.is(state.current(), null);
      await set(8, changes, 0);
      assert.is(state.current(), before);
      await set(12, 0, 0, 1);
      assert.is(state.current(), null);
      await set(12, 1, 0, 1);
      assert.is(state.current(), before);
      await set(47, (header[47] ?? 0) ^ 1, 0, 1);
      assert.is.not(state.current(), before);
      await set(47, header[47] ?? 0, 0, 1);
    } finally {
      await file.close();
    }
  }));

test('a memo is valid until the next commit, and keeps nothing that was read across a commit', () =>
  withTwo(async (_mine, other, state) => {
    const memo = createMemo<string, number>(state, (value) => value < 100);
    memo.keep(
      memo.begin(),
      new Map([
        ['small', 1],
        ['large', 100],
      ]),
    );
    assert.is(memo.get('small'), 1);
    assert.is(memo.get('large'), undefined);
    const begun = memo.begin();
    await insert(other);
    assert.is(memo.get('small'), undefined);
    memo.keep(begun, new Map([['small', 2]]));
    assert.is(memo.get('small'), undefined);
  }));

test('a memo is bounded', () =>
  withTwo(async (_mine, _other, state) => {
    const memo = createMemo<number, number>(state, () => true);
    memo.keep(memo.begin(), new Map(Array.from({ length: 5_000 }, (_, n) => [n, n])));
    assert.is(memo.get(0), undefined);
    assert.is(memo.get(4_999), 4_999);
  }));

test('is unknown if there is no index to read', () =>
  withTwo(async (mine) => {
    const state = await openSqliteState(mine.admin, '/nowhere/holdall.db');
    assert.is(state.current(), null);
    state.close();
  }));

/** How many locks are held on a file, by any process. */
async function locksOn(path: string): Promise<number> {
  const { ino } = await stat(path);
  return (await readFile('/proc/locks', 'utf8')).split(`:${ino} `).length - 1;
}

if (process.platform === 'linux')
  test('takes no lock on the database if the state cannot be determined', () =>
    withTwo(async (_mine, _other, _state, filename) => {
      const elsewhere = await sqlite?.make();
      if (elsewhere === undefined) throw new Error('no SQLite');
      const before = await locksOn(`${filename}-shm`);
      assert.ok(before > 0);
      // What it writes to another database does not show here.
      const state = await openSqliteState((await elsewhere.open()).admin, filename);
      assert.is(state.current(), null);
      assert.is(await locksOn(`${filename}-shm`), before);
      await elsewhere.remove();
    }));

test('is unknown on PostgreSQL, so that nothing is cached', async () => {
  const database = await databaseKinds()
    .find(({ name }) => name === 'PostgreSQL')
    ?.make();
  if (database === undefined) return;
  const state = await (await database.open()).openState();
  assert.is(state.current(), null);
  await database.remove();
});

test.run();
