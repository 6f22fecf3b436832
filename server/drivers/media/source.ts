import { close, fstat, open, read } from '../storage/disk/fs-calls.js';

/** Reads up to `length` bytes at `offset`; fewer only at the end of the file. */
async function readAt(fd: number, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await read(fd, buffer, 0, length, offset);
  return buffer.subarray(0, bytesRead);
}

/** Random access to bytes. Reading past the end returns fewer bytes and is not an error. */
export interface ByteSource {
  readonly size: number;
  /** Returns a view that stays valid. The caller limits `length`. */
  read(offset: number, length: number): Promise<Buffer>;
}

const WINDOW = 128 * 1024;
/** The window holds the whole content, so nothing is read. */
const NO_FILE = -1;
/** Far more reads than any valid file needs; reading stops here, so that no file can keep us busy. */
const MAX_READS = 1_000_000;

/** The file has so many small parts that it is refused. */
export class TooManyParts extends Error {}

/** More parts of one kind (tags, blocks, pictures) than any program writes. */
const MAX_PARTS = 10_000;

/** A counter that throws `TooManyParts` once `limit` is exceeded. */
export function counting(limit = MAX_PARTS): (amount?: number) => void {
  let count = 0;
  return (amount = 1) => {
    count += amount;
    if (count > limit) throw new TooManyParts();
  };
}

const BLOCK = 1024 * 1024;

/** Whether a range contains only zeros, as far as it is inside of the file. */
export async function isZero(source: ByteSource, start: number, end: number): Promise<boolean> {
  for (let at = start; at < Math.min(end, source.size); at += BLOCK) {
    const bytes = await source.read(at, Math.min(BLOCK, end - at));
    if (bytes.some((byte) => byte !== 0)) return false;
  }
  return true;
}

/** One read-ahead window over a file: headers are close together, so most reads need no system call. */
class FileSource implements ByteSource {
  #window: Buffer;
  #start = 0;
  #reads = 0;

  constructor(
    private readonly fd: number,
    readonly size: number,
    head: Buffer,
  ) {
    this.#window = head;
  }

  async read(offset: number, length: number): Promise<Buffer> {
    if (++this.#reads > MAX_READS) throw new TooManyParts('the file has too many parts');
    const end = Math.min(offset + length, this.size);
    if (offset < 0 || offset >= end) return Buffer.alloc(0);
    if (offset < this.#start || end > this.#start + this.#window.length) {
      const wanted = Math.min(Math.max(end - offset, WINDOW), this.size - offset);
      this.#window = await readAt(this.fd, offset, wanted);
      this.#start = offset;
    }
    return this.#window.subarray(offset - this.#start, end - this.#start);
  }
}

/** A source over bytes in memory. */
export function bufferSource(bytes: Buffer): ByteSource {
  return {
    size: bytes.length,
    read: async (offset, length) => bytes.subarray(Math.max(0, offset), Math.max(0, offset + length)),
  };
}

/** A part of another source as its own source. */
export function slice(source: ByteSource, start: number, end: number): ByteSource {
  const size = Math.max(0, Math.min(end, source.size) - start);
  return {
    size,
    read: (offset, length) => source.read(start + offset, Math.max(0, Math.min(length, size - offset))),
  };
}

/**
 * Opens a file while `work` runs and always closes it. Throws file system errors. If the whole content is in memory,
 * the file is not opened.
 */
export async function withFile<T>(
  path: string,
  work: (source: ByteSource) => Promise<T>,
  content: Buffer | null = null,
): Promise<T> {
  if (content !== null) return work(new FileSource(NO_FILE, content.length, content));
  const fd = await open(path, 'r');
  try {
    const head = await readAt(fd, 0, WINDOW);
    const size = head.length < WINDOW ? head.length : (await fstat(fd)).size;
    return await work(new FileSource(fd, size, head));
  } finally {
    await close(fd);
  }
}
