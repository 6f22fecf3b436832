import { dirname } from 'node:path';
import { failedWith } from './disk/folders.js';
import { chmod, stat } from './disk/fs-calls.js';
import { blobFile } from './keys.js';
import type { StorageOptions } from './options.js';

/** Where the proxy has the folder of all blobs; only an answer of the server leads there. */
const PROXY_FOLDER = '/holdall-blobs';
/** Smaller files are sent from memory as fast as the proxy would look for them. */
const MIN_BYTES = 16 * 1024;

/** What the group may do of which the proxy is a member: read a file, and enter a folder whose names it does not see. */
const GROUP_READS = 0o040;
const GROUP_ENTERS = 0o010;

/**
 * Tells where the proxy in front finds a blob: null if there is none that sends files, or if the blob is small, not on
 * the disk, or cannot be opened to the group of this process. Blobs are private until they are sent so for the first time.
 */
export function createAcceleration({
  dataDir,
  accelerated,
  places,
}: Pick<StorageOptions, 'dataDir' | 'accelerated' | 'places'>): (
  sha256: string,
  size: number,
) => Promise<string | null> {
  if (!accelerated || !places.includes('disk')) return async () => null;
  const root = `${dataDir}/blobs`;
  /** Folders that the group was let into: `blobs`, and up to 256 below it. */
  const entered = new Set<string>();

  async function letInto(folder: string): Promise<void> {
    if (entered.has(folder)) return;
    if (folder !== dataDir) await letInto(dirname(folder));
    await grant(folder, (await stat(folder)).mode, GROUP_ENTERS);
    entered.add(folder);
  }

  return async (sha256, size) => {
    if (size < MIN_BYTES) return null;
    const path = blobFile(root, sha256);
    try {
      const facts = await stat(path);
      if (facts.size !== size) return null;
      await letInto(dirname(path));
      await grant(path, facts.mode, GROUP_READS);
      return blobFile(PROXY_FOLDER, sha256);
    } catch (error) {
      // The proxy would answer 404 or 403 in its own words.
      if (CLOSED.some((code) => failedWith(error, code))) return null;
      throw error;
    }
  };
}

/** It is gone, or belongs to somebody else, or is on a disk that only reads, or knows no modes. */
const CLOSED = ['ENOENT', 'EPERM', 'EROFS', 'ENOTSUP', 'EOPNOTSUPP'];

async function grant(path: string, mode: number, right: number): Promise<void> {
  if ((mode & right) === 0) await chmod(path, (mode & 0o7777) | right);
}
