import { BlobMissing, type BlobStore } from '../../../routers/base/ports/storage.js';
import { sha256OfStream } from './sha256.js';

/** Whether the content of a stored blob matches its name; false if it is missing. */
export async function verifyBlob(store: BlobStore, sha256: string): Promise<boolean> {
  try {
    return (await sha256OfStream(await store.open(sha256))) === sha256;
  } catch (error) {
    if (error instanceof BlobMissing) return false;
    throw error;
  }
}
