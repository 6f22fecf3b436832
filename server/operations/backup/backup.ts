import { createReadStream } from 'node:fs';
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { NamedBlob } from '../../../db/content/file/blob.js';
import type { Db } from '../../../db/engine/connect.js';
import { noteBackup } from '../../../db/system/installation.js';
import { mapLimit } from '../../../routers/base/map-limit.js';
import { BlobMissing, type BlobStore } from '../../../routers/base/ports/storage.js';
import { createDiskStore } from '../../drivers/storage/disk/disk.js';
import { publish, putFile } from '../../drivers/storage/disk/durable-file.js';
import { failedWith, makeFolder } from '../../drivers/storage/disk/folders.js';
import { stageWhole } from '../../drivers/storage/disk/stage-whole.js';
import { isStaged } from '../../drivers/storage/disk/staging.js';
import { openBlobStore } from '../../drivers/storage/index.js';
import { blobFile } from '../../drivers/storage/keys.js';
import { sha256OfStream } from '../../drivers/storage/sha256.js';
import type { Config } from '../../runtime/config/config.js';
import { createCommandLogger } from '../../runtime/logger.js';
import { openDatabase } from '../../runtime/open-database.js';
import { packageVersion } from '../../shared/version.js';
import { describeLost } from '../describe-lost.js';
import { abandonDraft, commitDraft, openDraft, settle } from './draft.js';
import { installationOf, isSecretOf } from './installation.js';
import { BackupError, lineOf, type Manifest, NAMES, type Sum } from './layout.js';
import { withBackupLock } from './lock.js';
import { takeSnapshot } from './snapshot.js';
import { requireTargetFolder } from './target-folder.js';

/** Blobs copied concurrently. */
const AT_ONCE = 8;
/** Maximum attempts. Each one only copies what was added since the previous one. */
const SNAPSHOTS = 10;
/** The files of a backup besides blobs and description. Which of them exist depends on the configuration. */
const CONTENT = [NAMES.sqlite, NAMES.postgres, NAMES.secret];

/** Called with the progress of a copy. */
export type Progress = (done: number, total: number) => void;

/**
 * Updates a backup folder from a running installation: a consistent copy of the database and exactly the blobs it
 * references, each verified against its hash when copied. The previous backup stays valid until the new one is
 * complete, even if this process dies. Throws `BackupError` if something that rows reference is missing or damaged.
 * Also throws it, before writing anything, if the folder holds something else or another backup is running.
 */
export async function backUp(config: Config, folder: string, progress: Progress): Promise<Manifest> {
  const log = createCommandLogger();
  const db = await openDatabase(config, log);
  try {
    const installation = await installationOf(db);
    await requireTargetFolder(config, folder, installation);
    await makeFolder(folder);
    return await withBackupLock(config.dataDir, async () => {
      await settle(folder);
      const manifest = await bringUpToDate(db, config, folder, { installation, progress });
      // It is complete, whether or not the database can be told.
      await noteBackup(db, Date.parse(manifest.createdAt)).catch((error: unknown) =>
        log.warn({ err: error }, 'the time of this backup could not be noted for /metrics'),
      );
      return manifest;
    });
  } finally {
    await db.close();
  }
}

async function bringUpToDate(
  db: Db,
  config: Config,
  folder: string,
  { installation, progress }: { installation: string | null; progress: Progress },
): Promise<Manifest> {
  try {
    const draft = await openDraft(folder);
    const source = await openBlobStore(config);
    const target = await createDiskStore({ dataDir: folder });
    const { name, blobs } = await snapshotWithBlobs(db, config, draft, { source, target, progress });
    await publish(join(draft, `${name}.part`), join(draft, name));
    const names: string[] = [name];
    if (config.secretKey === null) {
      await copySecret(config.dataDir, draft, installation);
      names.push(NAMES.secret);
    }
    const manifest = await describe(db, draft, { names, blobs, installation });
    await commitDraft(folder);
    await settle(folder);
    await removeOthers(target, blobs);
    // Files of an earlier configuration: the other database, or a secret that is now set as SECRET_KEY.
    for (const name of CONTENT) if (!names.includes(name)) await rm(join(folder, name), { force: true });
    await removeStaging(join(folder, 'staging'));
    return manifest;
  } finally {
    await abandonDraft(folder);
  }
}

/**
 * A blob in the snapshot may be deleted before it is copied. The snapshot is then outdated, and another one is taken.
 * A blob that cannot be copied although rows still reference it is lost.
 */
async function snapshotWithBlobs(
  db: Db,
  config: Config,
  draft: string,
  copy: { source: BlobStore; target: BlobStore; progress: Progress },
) {
  let lost: readonly string[] = [];
  for (let attempt = 1; attempt <= SNAPSHOTS; attempt += 1) {
    const snapshot = await takeSnapshot(db, config.databaseUrl, draft);
    const still = lost.filter((sha256) => snapshot.blobs.some((blob) => blob.sha256 === sha256));
    if (still.length > 0)
      throw new BackupError(
        `missing from the store or damaged, ${still.length} in total:\n${await describeLost(db, config, still)}`,
      );
    lost = await copyBlobs(snapshot.blobs, copy);
    if (lost.length === 0) return snapshot;
  }
  throw new BackupError('files are being deleted faster than they can be copied; try again');
}

/** Returns the hashes of blobs that could not be copied. */
async function copyBlobs(
  blobs: readonly NamedBlob[],
  { source, target, progress }: { source: BlobStore; target: BlobStore; progress: Progress },
): Promise<string[]> {
  let done = 0;
  const lost = await mapLimit(AT_ONCE, blobs, async ({ sha256, size }) => {
    // A blob is only put in place after its hash is verified.
    const there = (await target.stat(sha256))?.size === size || (await copyBlob(sha256, source, target));
    done += 1;
    progress(done, blobs.length);
    return there ? null : sha256;
  });
  return lost.filter((sha256) => sha256 !== null);
}

/** Copies one blob; false if it is missing or its content does not match its name. */
async function copyBlob(sha256: string, source: BlobStore, target: BlobStore): Promise<boolean> {
  try {
    const staged = await stageWhole(target, await source.open(sha256), { maxBytes: Number.MAX_SAFE_INTEGER });
    try {
      if (staged.sha256 !== sha256) return false;
      await staged.commit();
      return true;
    } finally {
      await staged.discard();
    }
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}

async function copySecret(dataDir: string, draft: string, installation: string | null): Promise<void> {
  const file = join(dataDir, NAMES.secret);
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new BackupError(`${file} cannot be read: ${cause.message}`, { cause });
  });
  if (installation !== null && !isSecretOf(text.trim(), installation))
    throw new BackupError(`${file} is not the one this database was used with; restore it from a backup`);
  await putFile(join(draft, NAMES.secret), [text]);
}

/** Writes checksums and manifest. */
async function describe(
  db: Db,
  draft: string,
  content: { names: readonly string[]; blobs: readonly NamedBlob[]; installation: string | null },
): Promise<Manifest> {
  const { names, blobs, installation } = content;
  const files: Sum[] = [];
  for (const path of names)
    files.push({ sha256: await sha256OfStream(createReadStream(join(draft, path))), path });
  await putFile(join(draft, NAMES.sums), sumsOf(files, blobs));
  const manifest: Manifest = {
    version: await packageVersion(),
    createdAt: new Date().toISOString(),
    database: db.dialect.name,
    files: blobs.length,
    bytes: blobs.reduce((sum, { size }) => sum + size, 0),
    ...(installation === null ? {} : { installation }),
  };
  await putFile(join(draft, NAMES.manifest), [`${JSON.stringify(manifest, null, 2)}\n`]);
  return manifest;
}

/** Removes blobs that only earlier backups reference. */
async function removeOthers(store: BlobStore, blobs: readonly NamedBlob[]): Promise<void> {
  const named = new Set(blobs.map(({ sha256 }) => sha256));
  for await (const { sha256 } of store.list()) if (!named.has(sha256)) await store.remove(sha256);
}

/** Removes the folder and what interrupted copies left in it, but no other files that happen to be there. */
async function removeStaging(folder: string): Promise<void> {
  for (const name of await readdir(folder)) if (isStaged(name)) await rm(join(folder, name), { force: true });
  await rmdir(folder).catch((error: unknown) => {
    if (!['ENOTEMPTY', 'ENOTDIR'].some((code) => failedWith(error, code))) throw error;
  });
}

function* sumsOf(files: readonly Sum[], blobs: readonly NamedBlob[]): Generator<string> {
  for (const file of files) yield lineOf(file);
  for (const { sha256 } of blobs) yield lineOf({ sha256, path: blobFile('blobs', sha256) });
}
