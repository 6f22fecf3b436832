import { close, fstat, open } from '../storage/fs-calls.js';
import { readAt } from './descriptor.js';

/** Bytes that can be read at any place; reading past the end answers fewer bytes, never an error. */
export interface ByteSource {
  readonly size: number;
  /** Returns a view that stays valid; `length` is bounded by the caller. */
  read(offset: number, length: number): Promise<Buffer>;
}

const WINDOW = 128 * 1024;
/** The window holds all there is, so that nothing is read. */
const NO_FILE = -1;
/** Far more steps than any honest file takes; reading a file stops here, so that no file can keep us busy. */
const MAX_READS = 1_000_000;

/** The file is built of so many small parts that walking through them is refused. */
export class TooManyParts extends Error {}

/** One read-ahead window over a file: headers lie close together, so most reads cost no system call. */
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

/** A part of another source, seen as a source of its own. */
export function slice(source: ByteSource, start: number, end: number): ByteSource {
  const size = Math.max(0, Math.min(end, source.size) - start);
  return {
    size,
    read: (offset, length) => source.read(start + offset, Math.max(0, Math.min(length, size - offset))),
  };
}

/**
 * Opens a file for the time of `work` and closes it whatever happens. Throws what the file system throws. Where the
 * whole content is at hand the file is left alone.
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
