import type { ByteRange, Sink } from '../../../routers/base/ports/storage.js';
import { giveBuffer, takeBuffer } from './buffer-pool.js';
import { read } from './disk/fs-calls.js';

/**
 * Passes a range of an open file to `sink`, reading the next piece in the meantime. The range is cut at the end of
 * the file. After it settles, nothing is being read any more.
 */
export async function pump(fd: number, { start, end }: ByteRange, sink: Sink): Promise<void> {
  const piece = async (from: number): Promise<Buffer> => {
    const buffer = takeBuffer();
    const { bytesRead } = await read(fd, buffer, 0, Math.min(buffer.length, end - from), from);
    return buffer.subarray(0, bytesRead);
  };
  const fill = (from: number): Promise<Buffer> => {
    const filled = piece(from);
    // The error is thrown when the piece is awaited; until then it must not count as unhandled.
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

/** The whole pool buffer of a piece. */
const wholeOf = (piece: Buffer): Buffer => Buffer.from(piece.buffer);
