import { existsSync } from 'node:fs';
import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { failedWith } from '../../drivers/storage/disk/folders.js';
import type { Config } from '../../runtime/config/config.js';
import { isLeftOver, WRITTEN } from './draft.js';
import { BackupError, type Manifest, NAMES, readManifest, SIDE_FILES } from './layout.js';

/** Folders that a server manages in its DATA_DIR. */
const OWN = ['blobs', 'staging', 'tmp', 'outbox'] as const;

/**
 * Refuses a folder in which a backup would overwrite something else: an installation, a database that is not a
 * backup, or the backup of another installation. Read-only. Throws `BackupError`.
 */
export async function requireTargetFolder(
  config: Pick<Config, 'dataDir'>,
  folder: string,
  installation: string | null,
): Promise<void> {
  const data = await realPath(config.dataDir);
  const place = await realPath(folder);
  if (place === data) throw new BackupError(`${folder} is DATA_DIR; choose a separate folder for backups`);
  const own = await Promise.all(OWN.map((name) => realPath(join(data, name))));
  const written = await Promise.all(WRITTEN.map((name) => realPath(join(place, name))));
  if (own.some((path) => isWithin(place, path)) || written.some((path) => isWithin(data, path)))
    throw new BackupError(`${folder} and DATA_DIR (${config.dataDir}) overlap; choose another folder`);
  if (own.some((path) => written.includes(path)))
    throw new BackupError(`${folder} shares files with DATA_DIR (${config.dataDir}); choose another folder`);
  await requireOwnBackup(folder, installation);
}

async function requireOwnBackup(folder: string, installation: string | null): Promise<void> {
  const database = join(folder, NAMES.sqlite);
  for (const side of SIDE_FILES)
    if (existsSync(database + side))
      throw new BackupError(`${database}${side} exists: a database in ${folder} is in use, or was`);
  const before = await readManifest(folder).catch((error: unknown): Manifest | null => {
    if (error instanceof BackupError) return null;
    throw error;
  });
  const other = before === null ? (await namesIn(folder)).find((name) => !isLeftOver(name)) : undefined;
  if (other !== undefined)
    throw new BackupError(
      `${folder} contains ${other} and no complete ${NAMES.manifest}, so it is not a backup; choose an empty folder`,
    );
  if (before?.installation !== undefined && before.installation !== installation)
    throw new BackupError(`${folder} contains the backup of another installation; choose another folder`);
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error: unknown) => {
    if (failedWith(error, 'ENOENT')) return [];
    throw error;
  });

/** Resolves a path, following links as far as it exists. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!failedWith(error, 'ENOENT') || dirname(path) === path) throw error;
    return join(await realPath(dirname(path)), basename(path));
  }
}

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep);
