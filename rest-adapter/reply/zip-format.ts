import { crc32 } from 'node:zlib';

/** An entry as its headers describe it. */
interface ZipHeader {
  readonly name: Buffer;
  readonly mtime: Date;
  /** In bytes, if known before the content is read. */
  readonly size: number | null;
}

/** An entry that has been written. */
export interface WrittenEntry extends ZipHeader {
  readonly crc: number;
  readonly size: number;
  readonly packed: number;
  readonly offset: number;
}

const [BIG, MANY] = [0xffffffff, 0xffff];
/** The name is UTF-8, and sizes and checksum follow the content. */
const FLAGS = 0x808;
const DEFLATED = 8;
const [VERSION, VERSION_ZIP64] = [20, 45];
/** A regular file of Unix that everybody may read. */
const [UNIX, FILE_MODE] = [3, 0o100644];
const [ZIP64, TIMESTAMP] = [0x0001, 0x5455];
/** The most bytes in one stored block of deflate, and its overhead. */
const BLOCK_BYTES = 65_535;
const BLOCK_HEADER = 5;
const LAST_BLOCK = Buffer.from('010000ffff', 'hex');

/** A record of little-endian numbers, given as pairs of a width in bytes and a value. */
function record(...fields: readonly (readonly [width: 1 | 2 | 4 | 8, value: number])[]): Buffer {
  const bytes = Buffer.alloc(fields.reduce((sum, [width]) => sum + width, 0));
  let at = 0;
  for (const [width, value] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at);
    else bytes.writeUIntLE(value, at, width);
    at += width;
  }
  return bytes;
}

/** A time as DOS keeps it, in the time zone of the server. */
function dosTime(time: Date): readonly [time: number, date: number] {
  const year = Math.min(Math.max(time.getFullYear(), 1980), 2107) - 1980;
  return [
    (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1),
    (year << 9) | ((time.getMonth() + 1) << 5) | time.getDate(),
  ];
}

/** The extra field with the time in seconds since 1970. */
function timestamp({ mtime }: ZipHeader): Buffer {
  const seconds = Math.min(Math.max(Math.floor(mtime.getTime() / 1000), 0), 0x7fffffff);
  return record([2, TIMESTAMP], [2, 5], [1, 1], [4, seconds]);
}

/** What is in front of the content of an entry. */
export function localHeader(header: ZipHeader): Buffer {
  const [time, date] = dosTime(header.mtime);
  const isBig = header.size !== null && packedBytes(header.size) >= BIG;
  const extra = [timestamp(header), ...(isBig ? [record([2, ZIP64], [2, 16], [8, 0], [8, 0])] : [])];
  const sizes = isBig ? BIG : 0;
  return Buffer.concat([
    record(
      [4, 0x04034b50],
      [2, isBig ? VERSION_ZIP64 : VERSION],
      [2, FLAGS],
      [2, DEFLATED],
      [2, time],
      [2, date],
    ),
    record(
      [4, 0],
      [4, sizes],
      [4, sizes],
      [2, header.name.length],
      [2, extra.reduce((sum, { length }) => sum + length, 0)],
    ),
    header.name,
    ...extra,
  ]);
}

/** What follows the content of an entry. */
export function descriptor({ crc, packed, size }: Pick<WrittenEntry, 'crc' | 'packed' | 'size'>): Buffer {
  const width = packed >= BIG ? 8 : 4;
  return record([4, 0x08074b50], [4, crc], [width, packed], [width, size]);
}

/** The record of an entry in the directory; it has a field of zip64 for what does not fit otherwise. */
export function centralHeader(entry: WrittenEntry): Buffer {
  const { name, mtime, crc, size, packed, offset } = entry;
  const [time, date] = dosTime(mtime);
  const large = [size, packed, offset].filter((value) => value >= BIG);
  const extra = Buffer.concat([
    timestamp(entry),
    ...(large.length === 0
      ? []
      : [record([2, ZIP64], [2, 8 * large.length], ...large.map((value) => [8, value] as const))]),
  ]);
  const version = large.length === 0 ? VERSION : VERSION_ZIP64;
  return Buffer.concat([
    record(
      [4, 0x02014b50],
      [1, version],
      [1, UNIX],
      [2, version],
      [2, FLAGS],
      [2, DEFLATED],
      [2, time],
      [2, date],
    ),
    record(
      [4, crc],
      [4, Math.min(packed, BIG)],
      [4, Math.min(size, BIG)],
      [2, name.length],
      [2, extra.length],
    ),
    record([2, 0], [2, 0], [2, 0], [2, 0], [2, FILE_MODE], [4, Math.min(offset, BIG)]),
    name,
    extra,
  ]);
}

/** The records at the end of a zip; those of zip64 only if a number does not fit, because old programs know none. */
export function endRecords(count: number, offset: number, bytes: number): Buffer {
  const isLarge = count >= MANY || offset >= BIG || bytes >= BIG;
  const [selective, start, length] = [Math.min(count, MANY), Math.min(offset, BIG), Math.min(bytes, BIG)];
  const end = record(
    [4, 0x06054b50],
    [4, 0],
    [2, selective],
    [2, selective],
    [4, length],
    [4, start],
    [2, 0],
  );
  if (!isLarge) return end;
  const version = VERSION_ZIP64;
  return Buffer.concat([
    record(
      [4, 0x06064b50],
      [8, 44],
      [1, version],
      [1, UNIX],
      [2, version],
      [4, 0],
      [4, 0],
      [8, count],
      [8, count],
    ),
    record([8, bytes], [8, offset]),
    record([4, 0x07064b50], [4, 0], [8, offset + bytes], [4, 1]),
    end,
  ]);
}

/** How many bytes a content of this size takes in stored blocks. */
const packedBytes = (size: number): number =>
  size + BLOCK_HEADER * Math.ceil(size / BLOCK_BYTES) + LAST_BLOCK.length;

/** The length of a whole zip of entries of known size. */
export function zipBytes(entries: readonly { readonly name: Buffer; readonly size: number }[]): number {
  let offset = 0;
  let directory = 0;
  for (const { name, size } of entries) {
    const packed = packedBytes(size);
    const written = { name, size, packed, offset, mtime: new Date(0), crc: 0 };
    directory += centralHeader(written).length;
    offset += localHeader(written).length + packed + descriptor(written).length;
  }
  return offset + directory + endRecords(entries.length, offset, directory).length;
}

/**
 * Content in the stored blocks of deflate: not compressed, because media already is, but with an end of its own. A
 * program that reads a zip from a pipe refuses a stored entry whose size and checksum only follow it, and they are
 * known before only to those who read the file twice.
 */
export class StoredBlocks {
  /** Of the content so far. */
  crc = 0;
  size = 0;
  packed = 0;
  /** Of the current block. */
  #left = 0;

  /** `size` is that of the content if it is known; then the length of the result is `packedBytes`. */
  constructor(private readonly total: number | null) {}

  /** The next bytes, with the headers of the blocks that begin in them. */
  push(chunk: Buffer): Buffer {
    this.crc = crc32(chunk, this.crc);
    const pieces: Buffer[] = [];
    for (let at = 0; at < chunk.length; ) {
      if (this.#left === 0) {
        const known = this.total === null ? chunk.length - at : this.total - this.size;
        // A content that is longer than announced is refused at its end.
        this.#left = Math.min(BLOCK_BYTES, Math.max(known, 1));
        pieces.push(record([1, 0], [2, this.#left], [2, this.#left ^ 0xffff]));
      }
      const piece = chunk.subarray(at, at + this.#left);
      pieces.push(piece);
      this.#left -= piece.length;
      this.size += piece.length;
      at += piece.length;
    }
    return this.#count(Buffer.concat(pieces));
  }

  /** The last block; an error if the content did not have the size it was said to have. */
  end(): Buffer {
    if (this.total !== null && this.size !== this.total)
      throw new Error(`${this.size} of ${this.total} bytes are there`);
    return this.#count(LAST_BLOCK);
  }

  #count(bytes: Buffer): Buffer {
    this.packed += bytes.length;
    return bytes;
  }
}
