import { failedWith } from './disk/folders.js';
import { stat } from './disk/fs-calls.js';
import { blobFile } from './keys.js';
import type { StorageOptions } from './options.js';

/** The proxies in front of the server that are known to send files by themselves. */
export const ACCELERATING = ['nginx', 'caddy'] as const;

/** Where the proxy has the folder of all blobs; only an answer of the server leads there. */
const PROXY_FOLDER = '/holdall-blobs';
/** Smaller files are sent from memory as fast as the proxy would look for them. */
const MIN_BYTES = 16 * 1024;

/**
 * Tells where the proxy in front finds a blob: null if there is none that sends files, or if the blob is small, or not on
 * the disk.
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
  return async (sha256, size) => {
    if (size < MIN_BYTES) return null;
    // The proxy would answer 404 in its own words.
    const facts = await stat(blobFile(root, sha256)).catch((error: unknown) => {
      if (failedWith(error, 'ENOENT')) return null;
      throw error;
    });
    return facts?.size === size ? blobFile(PROXY_FOLDER, sha256) : null;
  };
}
