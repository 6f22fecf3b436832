import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';

/** The part of a file that is the zip: offsets in its directory count from `start`, and its last record ends at `end`. */
interface ZipRange {
  readonly start: number;
  readonly end: number;
}

const END = 'PK\x05\x06';
const END_BYTES = 22;
const COMMENT_BYTES = 0xffff;
/** How much may follow the last record: line breaks, zeros, a signature. */
const TRAILING_BYTES = 64 * 1024;
/** The record and locator that zip64 adds in front of the last record. */
const ZIP64_BYTES = 56 + 20;

/**
 * Finds the zip in a file with something in front of it or behind it: the last end record whose directory stands
 * where its size says. Null if there is none; then the file is read as it is.
 */
async function findZip(file: FileHandle, size: number): Promise<ZipRange | null> {
  const length = Math.min(size, END_BYTES + COMMENT_BYTES + TRAILING_BYTES);
  const tail = Buffer.alloc(length);
  await file.read(tail, 0, length, size - length);
  const first = size - length;
  for (
    let at = tail.lastIndexOf(END, undefined, 'latin1');
    at >= 0;
    at = tail.lastIndexOf(END, at - 1, 'latin1')
  ) {
    const range = at + END_BYTES <= length ? await rangeOf(file, tail.subarray(at), first + at) : null;
    if (range !== null && range.end <= size) return range;
    if (at === 0) return null;
  }
  return null;
}

async function rangeOf(file: FileHandle, record: Buffer, at: number): Promise<ZipRange | null> {
  const [bytes, offset] = [record.readUInt32LE(12), record.readUInt32LE(16)];
  const end = at + END_BYTES + record.readUInt16LE(20);
  // The sizes are in the zip64 record, which the reader finds by an offset from the start.
  if (bytes === 0xffffffff || offset === 0xffffffff) return { start: 0, end };
  for (const between of [0, ZIP64_BYTES]) {
    const directory = at - between - bytes;
    const mark = Buffer.alloc(4);
    if (directory < offset) continue;
    await file.read(mark, 0, 4, directory);
    if (bytes === 0 || mark.toString('latin1') === 'PK\x01\x02') {
      // With zip64 in between its offset would have to move as well.
      return between === 0 || directory === offset ? { start: directory - offset, end } : null;
    }
  }
  return null;
}

/** Reads the zip inside a file as if it were the whole file. */
class ZipSlice extends RandomAccessReader {
  constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly start: number,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return createReadStream(this.path, { start: this.start + start, end: this.start + end - 1 });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null) => void,
  ): void {
    this.file
      .read(buffer, offset, length, this.start + position)
      .then(({ bytesRead }) => done(bytesRead === length ? null : new Error('unexpected EOF')), done);
  }

  override close(done: (error: Error | null) => void): void {
    this.file.close().then(() => done(null), done);
  }
}

/** Opens the zip in a file; closing the reader closes the file. */
export async function openSlice(
  path: string,
): Promise<{ readonly reader: RandomAccessReader; readonly size: number }> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const { start, end } = (await findZip(file, size)) ?? { start: 0, end: size };
    return { reader: new ZipSlice(file, path, start), size: end - start };
  } catch (error) {
    await file.close();
    throw error;
  }
}
