import { deflateSync } from 'node:zlib';
import { pngChunk } from '../../../server/shared/png-chunk.js';
import {
  av1Movie,
  gifOfManyFrames,
  gifPhoto,
  halves,
  heicPhoto,
  hugePng,
  jpegPhoto,
  movie,
  pngPhoto,
  tiffPhoto,
  webmMovie,
  webpPhoto,
} from '../../support/media/media-fixtures.js';
import { box, u32 } from '../../support/media/media-fixtures-boxes.js';
import { tiffBlock } from '../../support/media/media-fixtures-tiff.js';

/** A file and the name it is uploaded with. */
export interface HostileFile {
  readonly name: string;
  bytes(): Promise<Uint8Array | string> | Uint8Array | string;
}

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);
const SVG =
  'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"';
const entities =
  '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd"><!ENTITY y "&x;&x;&x;">]>' +
  `<svg ${SVG}><image xlink:href="http://127.0.0.1:1/x.png" width="90" height="90"/><text y="40">&y;</text></svg>`;
/** Nested references that multiply one shape by ten on each level. */
const copies = `<svg ${SVG}><g id="a0"><rect width="9" height="9"/></g>${Array.from(
  { length: 12 },
  (_, index) => `<g id="a${index + 1}">${`<use xlink:href="#a${index}"/>`.repeat(10)}</g>`,
).join('')}<use xlink:href="#a12"/></svg>`;

const latin = (text: string) => Buffer.from(text, 'latin1');
const PNG = latin('\x89PNG\r\n\x1a\n');
const png = (width: number, height: number, rows: Buffer, ...chunks: Buffer[]) => {
  const header = Buffer.concat([u32(width, height), Buffer.from([8, 2, 0, 0, 0])]);
  const parts = [
    pngChunk('IHDR', header),
    ...chunks,
    pngChunk('IDAT', rows),
    pngChunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([PNG, ...parts]);
};
/** A profile or text that is small on disk and 256 MiB when unpacked. */
const bomb = () => deflateSync(Buffer.alloc(256 * 1024 * 1024), { level: 9 });

/** A lossless WebP that claims to be of this size. */
const webpOf = (width: number, height: number) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE((width - 1) | ((height - 1) << 14));
  const body = Buffer.concat([latin('WEBPVP8L'), Buffer.from([10, 0, 0, 0, 0x2f]), size, Buffer.alloc(5)]);
  return Buffer.concat([latin('RIFF'), Buffer.from([body.length, 0, 0, 0]), body]);
};
const riff = (...chunks: [name: string, payload: Buffer][]) => {
  const parts = chunks.flatMap(([name, payload]) => [latin(name), littleEndian(payload.length), payload]);
  const body = Buffer.concat([latin('WEBP'), ...parts]);
  return Buffer.concat([latin('RIFF'), littleEndian(body.length), body]);
};
const littleEndian = (value: number) => u32(value).reverse();
/** A BigTIFF that claims this many pixels per side. */
const bigTiff = (pixels: bigint) => {
  const entries = [0x100, 0x101].map((tag) => {
    const entry = Buffer.alloc(20);
    entry.writeUInt16LE(tag, 0);
    entry.writeUInt16LE(16, 2);
    entry.writeBigUInt64LE(1n, 4);
    entry.writeBigUInt64LE(pixels, 12);
    return entry;
  });
  const head = Buffer.from('49492b000800000010000000000000000200000000000000', 'hex');
  return Buffer.concat([head, ...entries, Buffer.alloc(8)]);
};
/** A movie without tracks that claims a duration of that many seconds. */
const movieOf = (seconds: bigint) => {
  const times = Buffer.alloc(32);
  times.writeUInt32BE(1 << 24, 0);
  times.writeUInt32BE(1, 20);
  times.writeBigUInt64BE(seconds, 24);
  return Buffer.concat([
    box('ftyp', 'isom', u32(512), 'isom', 'mp41'),
    box('moov', box('mvhd', times, Buffer.alloc(80))),
  ]);
};
/** An AVIF or HEIC whose picture claims to be of this size. */
const heifOf = (brand: string, width: number, height: number) =>
  Buffer.concat([
    box('ftyp', brand, u32(0), 'mif1', brand),
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), 'pict', u32(0, 0, 0), '\0'),
      box('pitm', u32(0), Buffer.from([0, 1])),
      box('iprp', box('ipco', box('ispe', u32(0, width, height)))),
    ),
    box('mdat', Buffer.alloc(64)),
  ]);

const withBytes = (bytes: Buffer, at: number, ...values: number[]) => {
  const changed = Buffer.from(bytes);
  changed.set(values, at);
  return changed;
};

/** Malicious pictures and films. */
export const pictures = {
  'a 16k x 16k picture of one bit': { name: 'huge.png', bytes: () => hugePng(16_000) },
  'a PNG of 2 billion pixels a side': {
    name: 'x.png',
    bytes: () => png(2 ** 31 - 1, 2 ** 31 - 1, deflateSync('')),
  },
  'a PNG of 4 billion pixels a side': {
    name: 'x.png',
    bytes: () => png(2 ** 32 - 1, 2 ** 32 - 1, deflateSync('')),
  },
  'a PNG of no width': { name: 'x.png', bytes: () => png(0, 100, deflateSync('')) },
  'a PNG of no height': { name: 'x.png', bytes: () => png(100, 0, deflateSync('')) },
  'a PNG with a profile of 256 MiB': {
    name: 'x.png',
    bytes: () =>
      png(1, 1, deflateSync(Buffer.alloc(4)), pngChunk('iCCP', Buffer.concat([latin('p\0\0'), bomb()]))),
  },
  'a PNG with a text of 256 MiB': {
    name: 'x.png',
    bytes: () =>
      png(1, 1, deflateSync(Buffer.alloc(4)), pngChunk('zTXt', Buffer.concat([latin('p\0\0'), bomb()]))),
  },
  'a PNG with 256 MiB behind its pixels': { name: 'x.png', bytes: () => png(1, 1, bomb()) },
  'a PNG with a page in its text': {
    name: 'x.html',
    bytes: () =>
      png(1, 1, deflateSync(Buffer.alloc(4)), pngChunk('tEXt', latin('a\0<script>alert(1)</script>'))),
  },
  'a PNG of 50,000 chunks': {
    name: 'x.png',
    bytes: () =>
      png(
        1,
        1,
        deflateSync(Buffer.alloc(4)),
        ...Array.from({ length: 50_000 }, () => pngChunk('tEXt', latin('a\0b'))),
      ),
  },
  'a WebP of 16k x 16k in 30 bytes': { name: 'x.webp', bytes: () => webpOf(16_384, 16_384) },
  'a WebP whose second header is empty': {
    name: 'x.webp',
    bytes: () => riff(['VP8X', Buffer.alloc(10)], ['EXIF', Buffer.alloc(8)], ['VP8X', Buffer.alloc(0)]),
  },
  'an AVIF of 4 billion pixels a side': {
    name: 'x.avif',
    bytes: () => heifOf('avif', 2 ** 32 - 1, 2 ** 32 - 1),
  },
  'a HEIC of 60k x 60k': { name: 'x.heic', bytes: () => heifOf('heic', 60_000, 60_000) },
  'a HEIC of no size': { name: 'x.heic', bytes: () => heifOf('heic', 0, 0) },
  'the head of a JPEG XL': { name: 'x.jxl', bytes: () => Buffer.from('ff0affffffffffffffffffffffff', 'hex') },
  'a TIFF of 65,535 pixels a side': {
    name: 'x.tif',
    bytes: () =>
      tiffBlock({
        fields: [
          [0x100, [0xffff]],
          [0x101, [0xffff]],
          [0x103, [1]],
          [0x111, [8]],
          [0x117, [64]],
        ],
      }),
  },
  'a TIFF of 2^60 pixels a side': { name: 'x.tif', bytes: () => bigTiff(2n ** 60n) },
  'a TIFF whose directory is itself': {
    name: 'x.tif',
    bytes: () => Buffer.concat([latin('II*\0'), Buffer.from([8, 0, 0, 0, 0, 0, 8, 0, 0, 0])]),
  },
  'a BMP of negative size': {
    name: 'x.bmp',
    bytes: () =>
      Buffer.concat([
        latin('BM'),
        Buffer.alloc(16),
        Buffer.from('00000080ffffff7f', 'hex'),
        Buffer.alloc(60),
      ]),
  },
  '10,000 frames': { name: 'frames.gif', bytes: () => gifOfManyFrames(10_000) },
  'a GIF of 65,535 pixels a side': {
    name: 'x.gif',
    bytes: () => withBytes(gifOfManyFrames(500), 6, 0xff, 0xff, 0xff, 0xff),
  },
  'a GIF of no size': { name: 'x.gif', bytes: () => withBytes(gifOfManyFrames(2), 6, 0, 0, 0, 0) },
  'EXIF that points far outside': {
    name: 'x.jpg',
    bytes: async () => {
      const photo = await jpegPhoto(6);
      const at = photo.indexOf('Exif\0\0') + 6;
      return withBytes(photo, at + 4, 0xff, 0xff, 0xff, 0x7f);
    },
  },
  'EXIF of 65,535 entries': {
    name: 'x.jpg',
    bytes: async () => {
      const photo = await jpegPhoto(6);
      const at = photo.indexOf('Exif\0\0') + 6;
      return withBytes(photo, at + photo.readUInt32BE(at + 4), 0xff, 0xff);
    },
  },
  'an SVG with external entities': { name: 'entities.svg', bytes: () => entities },
  'the same in UTF-16': { name: 'wide.svg', bytes: () => Buffer.from(`\ufeff${entities}`, 'utf16le') },
  'an SVG that says it is UTF-7': {
    name: 'seven.svg',
    bytes: () =>
      `<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE svg [+ADwAIQ-ENTITY x SYSTEM "file:///etc/passwd"+AD4AXQA+-<svg ${SVG}><text>+ACY-x;</text></svg>`,
  },
  'an SVG with a script': {
    name: 'script.svg',
    bytes: () =>
      `<svg ${SVG} onload="alert(1)"><script>alert(1)</script><a href="javascript:alert(1)"/></svg>`,
  },
  'an SVG of a billion copies': { name: 'copies.svg', bytes: () => copies },
  'an SVG of a billion pixels': {
    name: 'wide.svg',
    bytes: () => '<svg xmlns="http://www.w3.org/2000/svg" width="1e9" height="1e9"/>',
  },
  'an SVG 20,000 groups deep': { name: 'deep.svg', bytes: () => `<svg ${SVG}>${'<g>'.repeat(20_000)}` },
  'an SVG of 10^300 pixels': {
    name: 'x.svg',
    bytes: () => '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1e300 1e300"/>',
  },
  'an SVG of more pixels than a number holds': {
    name: 'x.svg',
    bytes: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${'9'.repeat(400)}" height="${'9'.repeat(400)}"/>`,
  },
  'half a JPEG': { name: 'half.jpg', bytes: async () => half(await jpegPhoto(1, 800, 600)) },
  'half a PNG': { name: 'half.png', bytes: async () => half(await pngPhoto(1)) },
  'half a HEIC': { name: 'half.heic', bytes: () => half(heicPhoto()) },
  'a JPEG of 400,000 comments': {
    name: 'x.jpg',
    bytes: async () => {
      const photo = await jpegPhoto(1);
      const comments = Buffer.alloc(400_000 * 4, Buffer.from('fffe0002', 'hex'));
      return Buffer.concat([photo.subarray(0, 2), comments, photo.subarray(2)]);
    },
  },
  'half a movie': { name: 'half.mp4', bytes: () => half(movie()) },
  'half a WebM': { name: 'half.webm', bytes: () => half(webmMovie()) },
  'a movie of 285 million years': { name: 'x.mp4', bytes: () => movieOf(2n ** 53n - 1n) },
  'a movie whose box says it has no end': {
    name: 'x.mp4',
    bytes: () => withBytes(movie(), 0, 0xff, 0xff, 0xff, 0xff),
  },
  'boxes in boxes': {
    name: 'x.mp4',
    bytes: () => {
      let inner = box('free');
      for (let depth = 0; depth < 5_000; depth += 1) inner = box('moov', inner);
      return Buffer.concat([box('ftyp', 'isom', u32(0), 'isom'), inner]);
    },
  },
  'a picture that is a page too': {
    name: 'both.gif',
    bytes: () => Buffer.from('GIF89a/*<script>alert(1)</script>*/=1;'),
  },
  'a picture with an archive behind it': {
    name: 'poly.jpg',
    bytes: async () => Buffer.concat([await jpegPhoto(1), latin('PK\x03\x04<html>')]),
  },
} as const satisfies Readonly<Record<string, HostileFile>>;

/** Valid files of every supported kind, to be damaged at random. */
export const valid: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  'a.jpg': () => jpegPhoto(6),
  'a.png': () => pngPhoto(6),
  'a.gif': gifPhoto,
  'a.webp': () => webpPhoto(6),
  'a.tif': () => tiffPhoto(64, 48, 6),
  'a.heic': heicPhoto,
  'a.avif': () => halves(64, 48).avif({ effort: 0 }).toBuffer(),
  'a.svg': () => Buffer.from(`<svg ${SVG}><rect width="9" height="9" fill="red"/></svg>`),
  'a.mp4': () => movie(),
  'b.mp4': av1Movie,
  'a.webm': webmMovie,
};
