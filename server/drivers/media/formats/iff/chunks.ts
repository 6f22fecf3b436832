import type { ByteSource } from '../../source.js';

/** One chunk of a file in the manner of IFF: `end` includes what aligns the next chunk. */
export interface IffChunk {
  readonly name: string;
  readonly start: number;
  readonly dataAt: number;
  readonly end: number;
}

/** How sizes are written: as in RIFF, or as in AIFF and the rare RIFF of big-endian machines (RIFX). */
export type ByteOrder = 'littleEndian' | 'bigEndian';

const HEADER_BYTES = 8;

/**
 * The chunks from `start` up to `limit`. `sound` names the chunk that goes to the limit if its size says more, or
 * nothing (0 or all ones, as in a recording that was not finished); any other such chunk ends the list.
 */
export async function* iffChunks(
  source: ByteSource,
  order: ByteOrder,
  start: number,
  limit: number,
  sound: { readonly name: string; readonly size: number | null },
): AsyncGenerator<IffChunk> {
  for (let at = start; at + HEADER_BYTES <= limit; ) {
    const head = await source.read(at, HEADER_BYTES);
    if (head.length < HEADER_BYTES) return;
    const name = head.toString('latin1', 0, 4);
    if (!/^[ -~]{4}$/.test(name)) return;
    const dataAt = at + HEADER_BYTES;
    const isSound = name === sound.name;
    const stored = order === 'littleEndian' ? head.readUInt32LE(4) : head.readUInt32BE(4);
    const declared = (isSound ? sound.size : null) ?? stored;
    const open = isSound && (declared === 0 || declared === 0xffffffff);
    const dataEnd = open ? limit : dataAt + declared;
    if (dataEnd > limit && !isSound) return;
    const end = Math.min(dataEnd + (dataEnd % 2), limit);
    yield { name, start: at, dataAt, end };
    at = end;
  }
}
