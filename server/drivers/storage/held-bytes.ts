import { type BlobStore, BlobStoreUnavailable, type HeldBytes } from '../../../routers/base/ports/storage.js';
import { BUFFER_BYTES, giveBuffer, takeBuffer } from './buffer-pool.js';
import type { HotCache } from './hot-cache.js';

/**
 * The full content of a stored blob of this size: from memory, or read for this caller into a reusable buffer, or
 * kept if `hot` admits it. Null for blobs that are better streamed. Throws like `readWhole`.
 */
export function createHeldBytes(
  hot: HotCache,
  blobs: BlobStore,
): (sha256: string, size: number) => Promise<HeldBytes | null> {
  async function pass(sha256: string, size: number): Promise<HeldBytes> {
    const buffer = takeBuffer();
    try {
      const bytes = await readWhole(blobs, sha256, size, buffer);
      return { bytes, done: (taken) => (taken ? giveBuffer(buffer) : undefined) };
    } catch (error) {
      giveBuffer(buffer);
      throw error;
    }
  }

  /** Small blobs are not counted as lent: a slow reader ties up as much memory in other ways. */
  const kept = (sha256: string, bytes: Buffer): HeldBytes => ({
    bytes,
    done: bytes.length <= BUFFER_BYTES ? null : hot.lend(sha256, bytes),
  });

  return async (sha256, size) => {
    const held = hot.peek(sha256);
    if (held !== null) return kept(sha256, held);
    if (hot.wants(sha256, size))
      return kept(sha256, await hot.get(sha256, size, () => readWhole(blobs, sha256, size)));
    return size <= BUFFER_BYTES ? pass(sha256, size) : null;
  };
}

/** The bytes of a blob. A truncated blob must be neither sent nor kept. */
async function readWhole(blobs: BlobStore, sha256: string, size: number, spare?: Buffer): Promise<Buffer> {
  const bytes = await blobs.read(sha256, spare);
  if (bytes.length !== size) throw new BlobStoreUnavailable(`${bytes.length} of ${size} bytes are there`);
  return bytes;
}
