/**
 * SQLite runs out of room in the middle of a commit that many changes share. Each change is either stored or
 * refused as full (507 to callers), never in part; the next commit works once there is room.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Db, openDb } from '../../db/engine/connect.js';
import { outageOf } from '../../routers/core/outage.js';
import { canMount, mountDisk } from '../support/servers/small-disk.js';

const CHANGES = 40;
/** More than SQLite keeps in memory before a commit, so that it writes to disk in the middle of it. */
const LARGE = 1_500_000;

const test = suite('no room in the middle of a shared commit');

async function openNumbers(dataDir: string): Promise<Db> {
  const db = await openDb({ databaseUrl: null, dataDir });
  await db.write((trx) =>
    trx.schema.createTable('numbers', (table) => {
      table.integer('id').primary();
      table.text('text');
    }),
  );
  return db;
}

/** Makes many concurrent changes, some of them large, each in two steps; returns how many were refused. */
async function changeMuch(db: Db): Promise<number> {
  const change = (id: number) =>
    db.write(async (trx) => {
      await trx('numbers').insert({ id, text: 'a'.repeat(id % 5 === 3 ? LARGE : 100) });
      await trx('numbers')
        .where({ id })
        .update({ text: trx.raw('text || ?', ['b']) });
    });
  const results = await Promise.allSettled(Array.from({ length: CHANGES }, (_, id) => change(id)));
  const held = new Map((await db.read('numbers').select('id', 'text')).map(({ id, text }) => [id, text]));
  let refused = 0;
  results.forEach((result, id) => {
    if (result.status === 'fulfilled') {
      assert.match(held.get(id) ?? '', /^a+b$/, `change ${id} was acknowledged`);
    } else {
      refused += 1;
      assert.not.ok(held.has(id), `change ${id} was refused`);
      assert.is(outageOf(result.reason)?.status, 507, String(result.reason));
    }
  });
  assert.equal(await db.admin.raw('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
  return refused;
}

/** Limits the size of the database, for the connection that writes. */
const limitPages = (db: Db, count: number): Promise<void> =>
  db.write((trx) => trx.raw(`PRAGMA max_page_count = ${count}`));

async function worksAgain(db: Db): Promise<void> {
  await db.write((trx) => trx('numbers').delete());
  assert.is(await changeMuch(db), 0);
}

test('the database may not grow', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-faults-'));
  const db = await openNumbers(dataDir);
  try {
    await limitPages(db, 200);
    assert.ok((await changeMuch(db)) > 0);
    await limitPages(db, 1_000_000);
    await worksAgain(db);
  } finally {
    await db.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

if (canMount())
  test('the disk is full', async () => {
    const disk = mountDisk(64 * 1024 * 1024);
    const db = await openNumbers(disk.folder);
    try {
      await disk.fill(LARGE);
      assert.ok((await changeMuch(db)) > 0);
      await disk.free();
      await worksAgain(db);
    } finally {
      await db.close();
      disk.remove();
    }
  });

test.run();
