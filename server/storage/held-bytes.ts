import { type BlobStore, BlobStoreUnavailable, type HeldBytes } from '../../routers/ports.js';
import { createBufferPool } from './buffer-pool.js';
import type { HotCache } from './hot-cache.js';

/** Blobs up to this size are sent from a buffer where memory does not keep them; larger ones stream. */
const PASSING_BYTES = 256 * 1024;

/** Buffers that wait for the next blob that passes: 8 MiB. */
const PASSING_BUFFERS = 32;

/**
 * The whole bytes of a stored blob of this size: from memory, or read for this caller, and kept when it was asked
 * for before. Null for those that are better streamed. Throws as `readWhole` does.
 */
export function createHeldBytes(
  hot: HotCache,
  blobs: BlobStore,
): (sha256: string, size: number) => Promise<HeldBytes | null> {
  const passing = createBufferPool({ bytes: PASSING_BYTES, kept: PASSING_BUFFERS });

  async function pass(sha256: string, size: number): Promise<HeldBytes> {
    const buffer = passing.take();
    const done = (): void => passing.give(buffer);
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
    return size <= PASSING_BYTES ? pass(sha256, size) : null;
  };
}

/** The bytes of a blob; what is shorter than it should be must neither be sent nor kept. */
async function readWhole(blobs: BlobStore, sha256: string, size: number, spare?: Buffer): Promise<Buffer> {
  const bytes = await blobs.read(sha256, spare);
  if (bytes.length !== size) throw new BlobStoreUnavailable(`${bytes.length} of ${size} bytes are there`);
  return bytes;
}
