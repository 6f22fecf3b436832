import { readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isSha256 } from '../keys.js';
import { syncFolder } from './folders.js';

/**
 * Moves blobs at `blobs/ab/cd/<sha256>` to `blobs/ab/<sha256>`: the very first versions had another level of folders.
 * May be interrupted and repeated. Lists all blobs, so it belongs into an upgrade, not into every start.
 */
export async function raiseBlobs(dataDir: string): Promise<void> {
  const root = join(dataDir, 'blobs');
  for (const folder of await foldersIn(root)) {
    const deeper = await foldersIn(folder);
    for (const old of deeper) {
      for (const name of (await readdir(old)).filter(isSha256))
        await rename(join(old, name), join(folder, name));
      await syncFolder(folder);
      await rmdir(old);
    }
  }
}

/** The folders in one that may be missing; those of blobs have two letters. */
async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name))
    .map(({ name }) => join(folder, name));
}
