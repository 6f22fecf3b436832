/** Durable files have durable names: folders are synced before anybody relies on the files in them. */
import fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { migrate } from '../../db/engine/migrate.js';
import { type DatabaseKind, databaseKinds, type OwnDatabase } from '../support/stores/databases.js';

/** Folders that were synced, in order. While `broken`, syncing them fails. */
const synced: number[] = [];
let broken = false;
const fsync = fs.fsync;
fs.fsync = Object.assign((fd: number, done: fs.NoParamCallback): void => {
  const facts = fs.fstatSync(fd);
  if (facts.isDirectory() && broken) {
    done(Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' }));
    return;
  }
  if (facts.isDirectory()) synced.push(facts.ino);
  fsync(fd, done);
}, fsync);
syncBuiltinESMExports();
// These use the file system calls unmodified.
const { makeFolder } = await import('../../server/drivers/storage/disk/folders.js');
const { openSecrets } = await import('../../server/drivers/secrets/secrets.js');
const { readConfig } = await import('../../server/runtime/config/config.js');
const { createLogs } = await import('../../server/runtime/logger.js');
const { openMailTransport } = await import('../../server/drivers/mail/open.js');

const inode = (path: string): number => fs.statSync(path).ino;
const test = suite<{ folder: string }>('durable names');

test.before.each(async (given) => {
  broken = false;
  given.folder = await mkdtemp(join(tmpdir(), 'holdall-names-'));
  synced.length = 0;
});
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

test('a new folder and those created above it have their names synced, and no others', async ({ folder }) => {
  const path = join(folder, 'a', 'b', 'c');
  await makeFolder(path);
  const above = [folder, join(folder, 'a'), dirname(path)];
  assert.equal(synced, above.map(inode));
  await makeFolder(path);
  assert.is(synced.length, above.length);
});

test('a mail whose name in the outbox could be lost is not reported as sent', async ({ folder }) => {
  const { send } = openMailTransport(readConfig({ DATA_DIR: folder }), createLogs('silent').log);
  const mail = { to: 'ada@example.org', subject: 'Hello', text: 'Hello Ada\n' };
  await send(mail);
  assert.equal(synced, [folder, join(folder, 'outbox')].map(inode));
  broken = true;
  await failure(send(mail));
});

test.run();

for (const kind of databaseKinds()) {
  const secrets = suite<{ database: OwnDatabase }>(`the secret of an installation: ${kind.name}`);
  secrets.before.each(async (given) => {
    broken = false;
    given.database = await made(kind);
  });
  secrets.after.each(({ database }) => database.remove());

  secrets('the database learns of it only after its name is durable', async ({ database }) => {
    const { dataDir } = database.location;
    const db = await database.open();
    const open = () => openSecrets({ secretKey: null, dataDir }, db);
    const told = () => db.read('installation').where({ name: 'secret_check' });
    broken = true;
    await failure(open());
    assert.equal(await told(), [], 'one that this process made');
    fs.rmSync(join(dataDir, 'secret.key'));
    await writeFile(join(dataDir, 'secret.key'), `${'5'.repeat(64)}\n`);
    await failure(open());
    assert.equal(await told(), [], 'one that another process has made just now');
    broken = false;
    const { encrypt } = await open();
    assert.is((await open()).decrypt(encrypt('kept')), 'kept');
    assert.is((await told()).length, 1);
  });

  secrets.run();
}

async function made(kind: DatabaseKind): Promise<OwnDatabase> {
  const database = await kind.make();
  await migrate(await database.open());
  return database;
}

/** Resolves when the work fails because of the disk. */
async function failure(work: Promise<unknown>): Promise<void> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.match(String(error), 'EIO');
}
