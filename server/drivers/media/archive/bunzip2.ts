import { closeSync, openSync, readSync, statSync } from 'node:fs';
import bitIterator from 'unbzip2-stream/lib/bit_iterator.js';
import bzip2 from 'unbzip2-stream/lib/bzip2.js';
import type { ArchiveGuard } from './guard.js';

const READ = 256 * 1024;
const PIECE = 64 * 1024;
const BLOCK_UNIT = 100_000;

/**
 * Decompresses a bzip2 file block by block. A block of 900 kB can expand to 45 MB of repeated bytes, so the guard
 * counts during decompression and not after it. Runs synchronously: the worker has nothing else to do.
 */
export function* bunzip2(path: string, guard: ArchiveGuard): Generator<Buffer> {
  const fd = openSync(path, 'r');
  try {
    const size = statSync(path).size;
    const bits = bitIterator(() => readNext(fd));
    const sink = new Sink(guard);
    // A file may contain several consecutive streams, as written by parallel compressors.
    while (bits.bytesRead < size) {
      const table = new Int32Array(BLOCK_UNIT * bzip2.header(bits));
      let sum: number | null = 0;
      while (sum !== null) {
        sum = bzip2.decompress(bits, sink.push, table, table.length, sum);
        yield* sink.take();
      }
    }
  } finally {
    closeSync(fd);
  }
}

/** The next bytes of the file; undefined at its end, which makes the decoder fail on a truncated file. */
function readNext(fd: number): Buffer | undefined {
  const buffer = Buffer.allocUnsafe(READ);
  const length = readSync(fd, buffer, 0, READ, null);
  return length === 0 ? undefined : buffer.subarray(0, length);
}

/** Collects single bytes. */
class Sink {
  #pieces: Buffer[] = [];
  #piece = Buffer.allocUnsafe(PIECE);
  #length = 0;

  constructor(private readonly guard: ArchiveGuard) {}

  readonly push = (byte: number): void => {
    this.#piece[this.#length++] = byte;
    if (this.#length === PIECE) this.#close();
  };

  take(): Buffer[] {
    this.#close();
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }

  #close(): void {
    if (this.#length === 0) return;
    this.guard.count(this.#length);
    this.#pieces.push(this.#piece.subarray(0, this.#length));
    this.#piece = Buffer.allocUnsafe(PIECE);
    this.#length = 0;
  }
}
