import { PNG_SIGNATURE } from '../../../../shared/png-chunk.js';
import { readOrientation } from '../../ifd.js';
import { type ByteSource, bufferSource } from '../../source.js';
import { type Details, displayed } from '../format.js';

/** A chunk with length, name and checksum: `start` is the offset of the length field, `end` follows the checksum. */
export interface Chunk {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Whether these are the first bytes of a PNG: the signature and the header chunk that must follow it. In the variant
 * that Xcode makes for apps, another chunk comes before the header.
 */
export const isPng = (head: Buffer) =>
  head.subarray(0, 8).equals(PNG_SIGNATURE) && (head.toString('latin1', 12, 16) === 'IHDR' || isCgbi(head));

/** Whether a PNG is of that variant, which only Apple's programs read. */
export const isCgbi = (head: Buffer) => head.toString('latin1', 12, 16) === 'CgBI';

/** The chunks of a PNG in order; stops at the end chunk or where the file is truncated. */
export async function* chunks(source: ByteSource): AsyncGenerator<Chunk> {
  let at = 8;
  for (;;) {
    const head = await source.read(at, 8);
    if (head.length < 8) return;
    const name = head.toString('latin1', 4, 8);
    const end = at + 12 + head.readUInt32BE(0);
    if (end > source.size || !/^[A-Za-z]{4}$/.test(name)) return;
    yield { name, start: at, end };
    if (name === 'IEND') return;
    at = end;
  }
}

/** The payload of a chunk. */
export const payloadOf = (source: ByteSource, chunk: Chunk) =>
  source.read(chunk.start + 8, chunk.end - chunk.start - 12);

/** Dimensions of a PNG, and whether it is animated. */
export async function readPng(source: ByteSource): Promise<Details> {
  let header: Buffer = Buffer.alloc(0);
  let orientation = 1;
  let animated = false;
  for await (const chunk of chunks(source)) {
    if (chunk.name === 'IDAT') break;
    if (chunk.name === 'IHDR' && header.length === 0) header = await source.read(chunk.start + 8, 8);
    if (chunk.name === 'acTL') animated = (await payloadOf(source, chunk)).readUInt32BE(0) > 1;
    if (chunk.name === 'eXIf')
      orientation = await readOrientation(bufferSource(await payloadOf(source, chunk)));
  }
  if (header.length < 8) return {};
  return { animated, ...displayed(header.readUInt32BE(0), header.readUInt32BE(4), orientation) };
}

const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** The memory for each pixel: an interlaced PNG must be held as a whole. */
export async function pngDemand(source: ByteSource): Promise<number | null> {
  const head = await source.read(0, 29);
  if (isCgbi(head)) return null;
  const [depth = 8, colour = 6, , , interlaced = 0] = head.subarray(24);
  return interlaced === 0 ? 0 : (PNG_CHANNELS[colour] ?? 4) * (depth > 8 ? 2 : 1) * 1.3;
}
