/** Existing files at the destination of a restore: none of them becomes part of the restored data. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSqliteFile, sqliteFile } from '../../db/engine/connect.js';
import { blobFile } from '../../server/drivers/storage/keys.js';
import { backUp } from '../../server/operations/backup/backup.js';
import { restore } from '../../server/operations/backup/restore.js';
import { readConfig } from '../../server/runtime/config/config.js';
import { fileForm, startServer, type TestServer } from '../harness.js';

const silent = () => {};

interface Given {
  server: TestServer;
  folder: string;
  target: string;
  sha256: Record<'first' | 'second', string>;
}

const test = suite<Given>('restoring over existing files');

test.before(async (given) => {
  given.server = await startServer();
  const upload = async (text: string): Promise<string> => {
    const form = fileForm(text, 'notes.bin');
    const { body } = await given.server.request('POST', '/image/upload', {
      key: given.server.owner.key,
      form,
    });
    return body.message.sha256;
  };
  given.sha256 = { first: await upload('first'), second: await upload('second') };
  given.folder = await mkdtemp(join(tmpdir(), 'holdall-backup-'));
  await backUp(readConfig({ DATA_DIR: given.server.dataDir }), given.folder, silent);
});
test.after(async ({ server, folder }) => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
test.before.each(async (given) => {
  given.target = await mkdtemp(join(tmpdir(), 'holdall-restored-'));
});
test.after.each(({ target }) => rm(target, { recursive: true, force: true }));

const restoreTo = ({ target, folder }: Given) => restore(readConfig({ DATA_DIR: target }), folder, silent);

/** Creates the files that SQLite keeps beside a database while it is being changed. */
async function leaveLog(target: string): Promise<void> {
  const elsewhere = await mkdtemp(join(tmpdir(), 'holdall-other-'));
  const other = openSqliteFile(join(elsewhere, 'other.db'));
  try {
    await other.raw('CREATE TABLE stray (id)');
    await copyFile(join(elsewhere, 'other.db-wal'), target);
  } finally {
    await other.destroy();
    await rm(elsewhere, { recursive: true });
  }
}

/** Opens the restored database as a server would. */
async function checkDatabase(target: string): Promise<void> {
  const db = openSqliteFile(sqliteFile(target));
  try {
    assert.equal(await db.raw('PRAGMA integrity_check'), [{ integrity_check: 'ok' }]);
    assert.is((await db('images').count({ total: '*' }).first())?.total, 2);
    assert.is(await db.schema.hasTable('stray'), false);
  } finally {
    await db.destroy();
  }
}

for (const side of ['-wal', '-shm', '-journal'])
  test(`the holdall.db${side} of another database is refused by name, before anything is written`, async (given) => {
    const file = `${sqliteFile(given.target)}${side}`;
    await leaveLog(file);
    try {
      await restoreTo(given);
      assert.unreachable();
    } catch (error) {
      assert.match(String(error), `${file} belongs to another database`);
    }
    assert.equal(await readdir(given.target), [`holdall.db${side}`]);
    await rm(file);
    await restoreTo(given);
    await checkDatabase(given.target);
  });

test('leftovers of a killed restore do not get into the next one', async (given) => {
  await leaveLog(`${sqliteFile(given.target)}.part-wal`);
  await restoreTo(given);
  await checkDatabase(given.target);
  assert.equal(
    (await readdir(given.target)).filter((name) => name.includes('.part')),
    [],
  );
});

test('a file of the right size with other bytes is replaced, an intact one is kept', async (given) => {
  const pathOf = (sha256: string) => blobFile(join(given.target, 'blobs'), sha256);
  const { first, second } = given.sha256;
  for (const [sha256, text] of [
    [first, 'rotte'],
    [second, 'second'],
  ] as const) {
    await mkdir(dirname(pathOf(sha256)), { recursive: true });
    await writeFile(pathOf(sha256), text);
  }
  const { ino } = await stat(pathOf(second));
  await restoreTo(given);
  assert.is(await readFile(pathOf(first), 'utf8'), 'first');
  assert.is(await readFile(pathOf(second), 'utf8'), 'second');
  assert.is((await stat(pathOf(second))).ino, ino);
});

test.run();
