import type { ByteSource } from '../../source.js';

/** One element of a Matroska or WebM file. */
export interface Element {
  /** `NOT_AN_ELEMENT` for the rest of a container that is no valid element. */
  readonly id: number;
  readonly start: number;
  readonly dataAt: number;
  /** Never behind the end of the container, whatever the header says. */
  readonly end: number;
}

/** The identifier of what is left of a container after its last valid element. */
export const NOT_AN_ELEMENT = 0;

const READ = 64 * 1024;
const MAX_HEADER = 12;

/** Headers close together are read at once, because a film has hundreds of thousands of them. */
class Headers {
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;

  constructor(private readonly source: ByteSource) {}

  async at(position: number): Promise<Buffer> {
    const offset = position - this.#start;
    if (offset < 0 || offset + MAX_HEADER > this.#bytes.length) {
      this.#bytes = await this.source.read(position, READ);
      this.#start = position;
      return this.#bytes.subarray(0, MAX_HEADER);
    }
    return this.#bytes.subarray(offset, offset + MAX_HEADER);
  }
}

/** Reads the header of an element: its size is null if it is unknown. Null if this is no header. */
function readHeader(bytes: Buffer): { id: number; length: number; size: number | null } | null {
  const idSize = Math.clz32(bytes[0] ?? 0) - 23;
  const sizeSize = Math.clz32(bytes[idSize] ?? 0) - 23;
  if (idSize > 4 || sizeSize > 8 || bytes.length < idSize + sizeSize) return null;
  let size = bytes.readUInt8(idSize) & (0xff >> sizeSize);
  for (let at = idSize + 1; at < idSize + sizeSize; at++) size = size * 256 + bytes.readUInt8(at);
  const isUnknown = size >= 2 ** (7 * sizeSize) - 1;
  return { id: bytes.readUIntBE(0, idSize), length: idSize + sizeSize, size: isUnknown ? null : size };
}

/**
 * Everything between two offsets, without gaps: elements in order, one that is too long up to `end`, and the rest from the
 * first invalid header on as `NOT_AN_ELEMENT`. An element of unknown size (a live recording) ends before the first
 * child whose identifier is in `siblings`.
 */
export async function* elements(
  source: ByteSource,
  start: number,
  end: number,
  siblings: ReadonlySet<number> = new Set(),
): AsyncGenerator<Element> {
  const stop = Math.min(end, source.size);
  const headers = new Headers(source);
  for (let at = start; at < stop; ) {
    const header = readHeader((await headers.at(at)).subarray(0, stop - at));
    if (header === null) return yield { id: NOT_AN_ELEMENT, start: at, dataAt: at, end: stop };
    const dataAt = at + header.length;
    const last =
      header.size === null
        ? await endOfUnknown(headers, dataAt, stop, siblings)
        : Math.min(dataAt + header.size, stop);
    yield { id: header.id, start: at, dataAt, end: last };
    at = last;
  }
}

async function endOfUnknown(
  headers: Headers,
  start: number,
  stop: number,
  siblings: ReadonlySet<number>,
): Promise<number> {
  for (let at = start; at < stop; ) {
    const header = readHeader((await headers.at(at)).subarray(0, stop - at));
    if (header === null || header.size === null || siblings.has(header.id))
      return siblings.size === 0 ? stop : at;
    at += header.length + header.size;
  }
  return stop;
}
