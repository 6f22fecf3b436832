import { type BlobStore, BlobStoreUnavailable, type HeldBytes } from '../../routers/ports/storage.js';
import { BUFFER_BYTES, giveBuffer, takeBuffer } from './buffer-pool.js';
import type { HotCache } from './hot-cache.js';

/**
 * The whole bytes of a stored blob of this size: from memory, or read for this caller into a buffer that is used
 * again, or kept when `hot` wants it. Null for those that are better sent piece by piece. Throws as `readWhole` does.
 */
export function createHeldBytes(
  hot: HotCache,
  blobs: BlobStore,
): (sha256: string, size: number) => Promise<HeldBytes | null> {
  async function pass(sha256: string, size: number): Promise<HeldBytes> {
    const buffer = takeBuffer();
    const done = (): void => giveBuffer(buffer);
    try {
      return { bytes: await readWhole(blobs, sha256, size, buffer), done };
    } catch (error) {
      done();
      throw error;
    }
  }

  return async (sha256, size) => {
    const held = hot.peek(sha256);
    if (held !== null) return { bytes: held, done: null };
    if (hot.wants(sha256, size))
      return { bytes: await hot.get(sha256, () => readWhole(blobs, sha256, size)), done: null };
    return size <= BUFFER_BYTES ? pass(sha256, size) : null;
  };
}

/** The bytes of a blob; what is shorter than it should be must neither be sent nor kept. */
async function readWhole(blobs: BlobStore, sha256: string, size: number, spare?: Buffer): Promise<Buffer> {
  const bytes = await blobs.read(sha256, spare);
  if (bytes.length !== size) throw new BlobStoreUnavailable(`${bytes.length} of ${size} bytes are there`);
  return bytes;
}
