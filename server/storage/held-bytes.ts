import { type BlobStore, BlobStoreUnavailable } from '../../routers/ports.js';
import type { HotCache } from './hot-cache.js';

/** Blobs up to this size are sent from a buffer of their own where memory does not keep them; larger ones stream. */
const PASSING_BYTES = 256 * 1024;

/**
 * The whole bytes of a stored blob of this size: from memory, or read for this caller, and kept when it was asked
 * for before. Null for those that are better streamed. Throws as `readWhole` does.
 */
export const createHeldBytes =
  (hot: HotCache, blobs: BlobStore) =>
  async (sha256: string, size: number): Promise<Buffer | null> => {
    const held = hot.peek(sha256);
    if (held !== null) return held;
    if (hot.wants(sha256, size)) return hot.get(sha256, () => readWhole(blobs, sha256, size));
    return size <= PASSING_BYTES ? readWhole(blobs, sha256, size) : null;
  };

/** The bytes of a blob; what is shorter than it should be must neither be sent nor kept. */
async function readWhole(blobs: BlobStore, sha256: string, size: number): Promise<Buffer> {
  const bytes = await blobs.read(sha256);
  if (bytes.length !== size) throw new BlobStoreUnavailable(`${bytes.length} of ${size} bytes are there`);
  return bytes;
}
