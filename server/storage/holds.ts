import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { BlobMissing, type BlobStore } from '../../routers/ports/storage.js';

/** Reads a stored blob and tells whether it is what its name says; false for one that is missing. */
export async function holds(store: BlobStore, sha256: string): Promise<boolean> {
  try {
    const hash = createHash('sha256');
    await pipeline(await store.open(sha256), hash);
    return hash.digest('hex') === sha256;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}
