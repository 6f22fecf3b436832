import { readOrientation } from '../../ifd.js';
import { type ByteSource, slice } from '../../source.js';
import { type Details, displayed } from '../format.js';

/** One RIFF chunk: `end` includes the padding byte. */
export interface RiffChunk {
  readonly name: string;
  readonly start: number;
  readonly dataAt: number;
  readonly dataEnd: number;
  readonly end: number;
}

/** Bits of the chunk VP8X. */
export const FLAG = { animation: 0x02, xmp: 0x04, exif: 0x08 } as const;

/** Whether these are the first bytes of a RIFF container with a WebP bitstream. */
export const isWebp = (head: Buffer) =>
  head.toString('latin1', 0, 4) === 'RIFF' && /^WEBPVP8[ LX]$/.test(head.toString('latin1', 8, 16));

/** The chunks of a WebP file in order; stops at the declared end or where the file is truncated. */
export async function* riffChunks(source: ByteSource): AsyncGenerator<RiffChunk> {
  const head = await source.read(0, 12);
  if (head.length < 12) return;
  const limit = Math.min(source.size, 8 + head.readUInt32LE(4));
  let at = 12;
  while (at + 8 <= limit) {
    const chunk = await source.read(at, 8);
    if (chunk.length < 8) return;
    const size = chunk.readUInt32LE(4);
    const dataEnd = at + 8 + size;
    if (dataEnd > source.size) return;
    const end = Math.min(dataEnd + (size & 1), source.size);
    yield { name: chunk.toString('latin1', 0, 4), start: at, dataAt: at + 8, dataEnd, end };
    at = end;
  }
}

/** The EXIF block of a WebP chunk; some writers prefix it with the JPEG signature. */
export async function webpExif(source: ByteSource, chunk: RiffChunk): Promise<ByteSource> {
  const signature = (await source.read(chunk.dataAt, 6)).toString('latin1');
  return slice(source, chunk.dataAt + (signature === 'Exif\0\0' ? 6 : 0), chunk.dataEnd);
}

/** Dimensions of a WebP, and whether it is animated. */
export async function readWebp(source: ByteSource): Promise<Details> {
  const head = await source.read(12, 18);
  if (head.length < 18) return {};
  const name = head.toString('latin1', 0, 4);
  if (name === 'VP8 ') return displayed(head.readUInt16LE(14) & 0x3fff, head.readUInt16LE(16) & 0x3fff, 1);
  if (name === 'VP8L') {
    const bits = head.readUInt32LE(9);
    return displayed((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1, 1);
  }
  const flags = head.readUInt8(8);
  let orientation = 1;
  if ((flags & FLAG.exif) !== 0) {
    for await (const chunk of riffChunks(source)) {
      if (chunk.name === 'EXIF') orientation = await readOrientation(await webpExif(source, chunk));
    }
  }
  return {
    animated: (flags & FLAG.animation) !== 0,
    ...displayed(head.readUIntLE(12, 3) + 1, head.readUIntLE(15, 3) + 1, orientation),
  };
}

/** The memory for each pixel: a lossy WebP without opacity is kept as it is coded. */
export const webpDemand = async (source: ByteSource): Promise<number> =>
  (await source.read(12, 4)).toString('latin1') === 'VP8 ' ? 2 : 5;
