import type { ByteSource } from '../../source.js';

/** One chunk of a file in the manner of IFF: `end` includes what aligns the next chunk. */
export interface IffChunk {
  readonly name: string;
  readonly start: number;
  readonly dataAt: number;
  readonly end: number;
}

/** How the headers of chunks are written. */
export interface IffStyle {
  readonly nameSize: 4 | 16;
  readonly littleEndian: boolean;
  /** Whether a size is of 64 bits and counts the header. */
  readonly wide: boolean;
  readonly align: 2 | 8;
}

export const RIFF: IffStyle = { nameSize: 4, littleEndian: true, wide: false, align: 2 };
/** AIFF, and the rare RIFF of big-endian machines (RIFX). */
export const BIG_ENDIAN: IffStyle = { nameSize: 4, littleEndian: false, wide: false, align: 2 };
export const WAVE64: IffStyle = { nameSize: 16, littleEndian: true, wide: true, align: 8 };

/**
 * The chunks from `start` up to `limit`. `sound` names the chunk that goes to the limit if its size says more, or
 * nothing (0 or all ones, as in a recording that was not finished); any other such chunk ends the list.
 */
export async function* iffChunks(
  source: ByteSource,
  style: IffStyle,
  start: number,
  limit: number,
  sound: { readonly name: string; readonly size: number | null },
): AsyncGenerator<IffChunk> {
  const headerSize = style.nameSize + (style.wide ? 8 : 4);
  for (let at = start; at + headerSize <= limit; ) {
    const head = await source.read(at, headerSize);
    if (head.length < headerSize) return;
    const name = head.toString('latin1', 0, style.nameSize);
    if (style.nameSize === 4 && !/^[ -~]{4}$/.test(name)) return;
    const dataAt = at + headerSize;
    const isSound = name === sound.name;
    const declared = (isSound ? sound.size : null) ?? sizeOf(head, style, headerSize);
    const open = isSound && (declared === 0 || declared === 0xffffffff);
    const dataEnd = open ? limit : dataAt + declared;
    if (declared < 0 || (dataEnd > limit && !isSound)) return;
    const end = Math.min(dataEnd + ((style.align - (dataEnd % style.align)) % style.align), limit);
    yield { name, start: at, dataAt, end };
    at = end;
  }
}

function sizeOf(head: Buffer, { nameSize, littleEndian, wide }: IffStyle, headerSize: number): number {
  if (wide) return Number(head.readBigUInt64LE(nameSize)) - headerSize;
  return littleEndian ? head.readUInt32LE(nameSize) : head.readUInt32BE(nameSize);
}
