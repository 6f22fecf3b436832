import { deflateSync } from 'node:zlib';
import { halves, iconOf } from '../media/media-fixtures.js';
import { EXIF, TRAILER, XMP } from './pictures.js';
import type { Row } from './row.js';
import { DEVICE, PERSON, PLACE } from './telltales.js';
import { filmed, tagged } from './tools.js';

/** A Windows bitmap as a program writes it. */
const bmp = () => filmed('bmp', ['-f', 'lavfi', '-i', 'testsrc=size=63x48', '-frames:v', '1']);

const trailed = (bytes: Buffer | null) => bytes && Buffer.concat([bytes, TRAILER]);

/** A bitmap whose pixels begin only behind a text. */
async function withGap(): Promise<Buffer | null> {
  const plain = await bmp();
  if (plain === null) return null;
  const start = plain.readUInt32LE(10);
  const bytes = Buffer.concat([plain.subarray(0, start), TRAILER, plain.subarray(start)]);
  bytes.writeUInt32LE(start + TRAILER.length, 10);
  return bytes;
}

const png = () => halves(16, 16).png().toBuffer();

/** A document of one channel and one layer-less picture, stored row by row, with what it is given behind. */
function photoshop(compression: 0 | 1 | 2, behind = Buffer.alloc(0)): Buffer {
  const [width, height] = [16, 4];
  const head = Buffer.alloc(26);
  head.write('8BPS');
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(1, 12);
  head.writeUInt32BE(height, 14);
  head.writeUInt32BE(width, 18);
  head.writeUInt16BE(8, 22);
  head.writeUInt16BE(1, 24);
  const row = Buffer.from([0xf1, 0x80]);
  const rows = Array.from({ length: height }, () => row);
  const pixels = {
    0: Buffer.alloc(width * height, 0x80),
    1: Buffer.concat([Buffer.from([0, 2, 0, 2, 0, 2, 0, 2]), ...rows]),
    2: deflateSync(Buffer.alloc(width * height, 0x80)),
  }[compression];
  const kind = Buffer.from([0, compression]);
  return Buffer.concat([head, Buffer.alloc(12), kind, pixels, behind]);
}

const IPTC = [`-IPTC:City=${PLACE}`, `-IPTC:By-line=${PERSON}`, `-IPTC:Headline=${DEVICE}`];
const document = { format: 'PSD', extension: 'psd', partly: true } as const;

/** Bitmaps, icons and documents with what programs add to them. */
export const bitmaps: readonly Row[] = [
  {
    format: 'BMP',
    carrier: 'bytes behind the end',
    extension: 'bmp',
    make: async () => trailed(await bmp()),
  },
  { format: 'BMP', carrier: 'bytes in front of the pixels', extension: 'bmp', make: withGap },
  {
    format: 'ICO',
    carrier: 'EXIF of a picture',
    extension: 'ico',
    make: async () => {
      const rich = await tagged(await png(), 'png', EXIF);
      return rich && iconOf([await png(), rich]);
    },
  },
  {
    format: 'ICO',
    carrier: 'bytes behind the end',
    extension: 'ico',
    make: async () => trailed(iconOf([await png()])),
  },
  ...(
    [
      ['EXIF', EXIF],
      ['XMP', XMP],
      ['IPTC', IPTC],
    ] as const
  ).map(([carrier, tags]) => ({
    ...document,
    carrier,
    make: async () => tagged(photoshop(0), 'psd', tags),
  })),
  ...([0, 1] as const).map((compression) => ({
    ...document,
    carrier: `bytes behind the end, compression ${compression}`,
    make: () => photoshop(compression, TRAILER),
  })),
  { ...document, carrier: 'EXIF, compression 2', make: async () => tagged(photoshop(2), 'psd', EXIF) },
];
