import { createReadStream } from 'node:fs';
import { copyFile, link, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openSqliteFile, sqliteFile } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';
import type { BlobStore } from '../../../routers/base/ports/storage.js';
import { publish, putFile } from '../../drivers/storage/disk/durable-file.js';
import { failedWith, makeFolder } from '../../drivers/storage/disk/folders.js';
import { stageWhole } from '../../drivers/storage/disk/stage-whole.js';
import { makesNoLink } from '../../drivers/storage/disk/staged-file.js';
import { openBlobStore } from '../../drivers/storage/index.js';
import { sha256OfStream } from '../../drivers/storage/sha256.js';
import { verifyBlob } from '../../drivers/storage/verify-blob.js';
import type { Config } from '../../runtime/config/config.js';
import { createCommandLogger } from '../../runtime/logger.js';
import { openDatabase } from '../../runtime/open-database.js';
import type { Progress } from './backup.js';
import { fileOf } from './draft.js';
import { isSecretOf } from './installation.js';
import { BackupError, type Manifest, NAMES, readManifest, readSums, SIDE_FILES, type Sum } from './layout.js';
import { runPostgres } from './snapshot.js';

const AT_ONCE = 8;
/** How many bad files an error message lists. */
const NAMED = 10;

/**
 * Restores a backup to where the configuration points, which must be empty. Blobs come first, each verified against
 * its hash; the database comes last and never replaces one created in the meantime. Until then the restore can be
 * repeated. Throws `BackupError` if files are missing or damaged.
 */
export async function restore(config: Config, folder: string, progress: Progress): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const wanted = config.databaseUrl === null ? 'sqlite' : 'postgres';
  if (manifest.database !== wanted) {
    throw new BackupError(`this is a backup of ${manifest.database}, but the configuration uses ${wanted}`);
  }
  await makeFolder(config.dataDir);
  await requireEmpty(config);
  const secret = await secretFor(config, folder, manifest);
  await restoreBlobs(await openBlobStore(config), folder, manifest, progress);
  if (config.secretKey === null) await keepSecret(config.dataDir, secret);
  await (config.databaseUrl === null
    ? restoreSqlite(config, folder)
    : runPostgres('pg_restore', config.databaseUrl, [
        '--single-transaction',
        '--exit-on-error',
        '--no-owner',
        '--no-privileges',
        await fileOf(folder, NAMES.postgres),
      ]));
  return manifest;
}

async function requireEmpty(config: Config): Promise<void> {
  if (config.databaseUrl === null) {
    await requireNoSqlite(sqliteFile(config.dataDir));
    return;
  }
  const db = await openDatabase(config, createCommandLogger());
  try {
    const tables = await query(
      db.read,
      'SELECT 1 FROM information_schema.tables WHERE table_schema = current_schema() LIMIT 1',
    );
    if (tables.length > 0) throw new BackupError('the database is not empty; restore into an empty one');
  } finally {
    await db.close();
  }
}

/** Refuses to make a database where one is, or where files lie that SQLite would apply to it. */
export async function requireNoSqlite(file: string): Promise<void> {
  if (await exists(file)) throw occupied(file);
  for (const side of SIDE_FILES)
    if (await exists(file + side))
      throw new BackupError(
        `${file}${side} belongs to another database and would change this one; move it away first`,
      );
}

/** Verifies every file in SHA256SUMS and stores the blobs. */
async function restoreBlobs(
  store: BlobStore,
  folder: string,
  { files }: Manifest,
  progress: Progress,
): Promise<void> {
  const wrong: string[] = [];
  // Plus one for the database.
  const expected = files + 1;
  let done = 0;
  const take = async (sum: Sum): Promise<void> => {
    // Already checked, possibly at another path; old backups do not list it.
    if (sum.path === NAMES.secret) return;
    if (!(await takeFile(store, folder, sum))) wrong.push(sum.path);
    done += 1;
    progress(done, expected);
  };
  const waiting = new Set<Promise<void>>();
  try {
    for await (const sum of readSums(folder)) {
      if (waiting.size >= AT_ONCE) await Promise.race(waiting);
      const taken: Promise<void> = take(sum).finally(() => waiting.delete(taken));
      waiting.add(taken);
    }
    await Promise.all(waiting);
  } finally {
    // Otherwise later rejections would be unhandled.
    await Promise.allSettled(waiting);
  }
  if (done !== expected) throw new BackupError(`${NAMES.sums} is not complete`);
  if (wrong.length > 0) {
    throw new BackupError(
      `missing or damaged: ${wrong.slice(0, NAMED).join(', ')}${wrong.length > NAMED ? `, and ${wrong.length - NAMED} more` : ''}`,
    );
  }
}

/** Stores a file, replacing a damaged one. Returns false if it is missing or does not match its checksum. */
async function takeFile(store: BlobStore, folder: string, { sha256, path }: Sum): Promise<boolean> {
  const file = await fileOf(folder, path);
  const facts = await stat(file).catch(() => null);
  if (facts === null) return false;
  if (!path.startsWith('blobs/')) return (await sha256OfStream(createReadStream(file))) === sha256;
  const staged = await stageWhole(store, createReadStream(file), { maxBytes: facts.size + 1 });
  try {
    if (staged.sha256 !== sha256) return false;
    // A commit treats an existing blob of the right size as stored, without checking its content.
    if ((await store.stat(sha256)) !== null && !(await verifyBlob(store, sha256))) await store.remove(sha256);
    await staged.commit();
    return true;
  } finally {
    await staged.discard();
  }
}

/**
 * The secret for the restored database: SECRET_KEY, else the existing secret file, else the secret in the backup.
 * Refuses a secret that the database was not used with, because nothing could be decrypted.
 */
async function secretFor(config: Config, folder: string, { installation }: Manifest): Promise<string> {
  const kept = await fileOf(folder, NAMES.secret);
  let secret = config.secretKey;
  let name = 'SECRET_KEY';
  for (const path of [join(config.dataDir, NAMES.secret), kept]) {
    if (secret !== null) break;
    secret = (await readFile(path, 'utf8').catch(() => null))?.trim() ?? null;
    name = path;
  }
  if (secret === null) throw new BackupError(`the backup has no ${NAMES.secret}: set SECRET_KEY`);
  if (installation === undefined || isSecretOf(secret, installation)) return secret;
  const damaged = name === kept ? ': it is damaged; take it from another backup, or set SECRET_KEY' : '';
  throw new BackupError(`${name} is not the one this backup was made with${damaged}`);
}

async function keepSecret(dataDir: string, secret: string): Promise<void> {
  const file = join(dataDir, NAMES.secret);
  if (!(await exists(file))) await putFile(file, [`${secret}\n`]);
}

async function restoreSqlite(config: Config, folder: string): Promise<void> {
  const file = sqliteFile(config.dataDir);
  const part = `${file}.part`;
  // Not written into, because it could be a second name of a database.
  for (const side of ['', ...SIDE_FILES]) await rm(part + side, { force: true });
  await copyFile(await fileOf(folder, NAMES.sqlite), part);
  const copy = openSqliteFile(part);
  try {
    const [check] = await query<{ integrity_check: string }>(copy, 'PRAGMA integrity_check');
    if (check?.integrity_check !== 'ok') throw new BackupError(`${NAMES.sqlite} is damaged`);
  } finally {
    await copy.destroy();
  }
  try {
    // A server may have been started during the copy. Its database must be kept.
    await requireEmpty(config);
    await putSqlite(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/** Gives a complete database its name, which nothing else may have. */
export async function putSqlite(part: string, file: string): Promise<void> {
  await publish(part, file, link).catch((error: unknown) => {
    if (failedWith(error, 'EEXIST')) throw occupied(file);
    if (makesNoLink(error)) return publish(part, file);
    throw error;
  });
}

const occupied = (file: string) => new BackupError(`${file} exists; restore into an empty folder`);

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
