import type { ByteRange, Sink } from '../../routers/ports/storage.js';
import { giveBuffer, takeBuffer } from './buffer-pool.js';
import { read } from './fs-calls.js';

/**
 * Hands over a range of an open file, the next piece being read while one is under way. It is cut at the end of the
 * file. Afterwards nothing is read any more, however it ended.
 */
export async function pump(fd: number, { start, end }: ByteRange, sink: Sink): Promise<void> {
  const piece = async (from: number): Promise<Buffer> => {
    const buffer = takeBuffer();
    const { bytesRead } = await read(fd, buffer, 0, Math.min(buffer.length, end - from), from);
    return buffer.subarray(0, bytesRead);
  };
  const fill = (from: number): Promise<Buffer> => {
    const filled = piece(from);
    // Its error is met when the piece is wanted; until then nobody waits for it.
    filled.catch(() => undefined);
    return filled;
  };
  let next = start < end ? fill(start) : null;
  try {
    for (let at = start; next !== null; ) {
      const bytes = await next;
      at += bytes.length;
      next = at < end && bytes.length > 0 ? fill(at) : null;
      if (bytes.length > 0) await sink(bytes);
      giveBuffer(wholeOf(bytes));
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

/** The buffer of the pool that a piece lies in. */
const wholeOf = (piece: Buffer): Buffer => Buffer.from(piece.buffer);
