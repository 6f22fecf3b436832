import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { skipping } from '../skip.js';
import { u32 } from './media-fixtures-boxes.js';
import { phoneExif } from './media-fixtures-tiff.js';

export { box, heicPhoto, movie, PLACE } from './media-fixtures-boxes.js';
export { phoneExif, tiffPhoto } from './media-fixtures-tiff.js';

/** The metadata of all these photos, none of which may be found in the bytes of a cleaned file. */
export const SECRETS = ['Acme', 'Snapper', 'SN-4711', 'London', 'Jane Doe', '2020:05:17', '51.5034'];

export const XMP =
  '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
  '<rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="London" photoshop:Credit="Jane Doe"/>' +
  '</rdf:RDF></x:xmpmeta>';

/** A folder of files for one suite. */
export async function mediaFolder() {
  const root = await mkdtemp(join(tmpdir(), 'holdall-media-'));
  return {
    root,
    async put(bytes: Buffer | string, extension = 'bin'): Promise<string> {
      const path = join(root, `${randomUUID()}.${extension}`);
      await writeFile(path, bytes);
      return path;
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/**
 * Everything that exiftool finds in a file, including hidden locations; null (with a note) if it is not
 * installed.
 */
export async function exiftool(path: string): Promise<Record<string, unknown> | null> {
  try {
    const { stdout } = await promisify(execFile)('exiftool', ['-j', '-G1', '-a', '-ee', '-u', '-n', path]);
    const [found] = JSON.parse(stdout) as Record<string, unknown>[];
    return found ?? {};
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    skipping('exiftool is not installed');
    return null;
  }
}

/** A picture with a red left half and a blue right half, so that rotation is visible. */
export const halves = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#f00' } }).composite([
    {
      input: { create: { width: Math.ceil(width / 2), height, channels: 3, background: '#00f' } },
      left: Math.floor(width / 2),
      top: 0,
    },
  ]);

const segment = (marker: number, payload: Buffer) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(payload.length + 2, 2);
  return Buffer.concat([head, payload]);
};
const latin = (text: string) => Buffer.from(text, 'latin1');

/** A JPEG with colour profile, EXIF, XMP, IPTC and a comment, followed by bytes that do not belong to it. */
export async function jpegPhoto(orientation = 6, width = 64, height = 48): Promise<Buffer> {
  const plain = await halves(width, height).jpeg({ quality: 90 }).withIccProfile('p3').toBuffer();
  const records = Buffer.concat([
    Buffer.from([0x1c, 2, 0x5a, 0, 6]),
    latin('London'),
    Buffer.from([0x1c, 2, 0x50, 0, 8]),
    latin('Jane Doe'),
  ]);
  const block = Buffer.concat([
    latin('8BIM\x04\x04\0\0'),
    u32(records.length),
    records,
    Buffer.alloc(records.length % 2),
  ]);
  return Buffer.concat([
    plain.subarray(0, 2),
    segment(0xe1, Buffer.concat([latin('Exif\0\0'), phoneExif(orientation)])),
    segment(0xe1, latin(`http://ns.adobe.com/xap/1.0/\0${XMP}`)),
    segment(0xed, Buffer.concat([latin('Photoshop 3.0\0'), block])),
    segment(0xfe, latin('Taken in London by Jane Doe')),
    plain.subarray(2),
    latin('trailer: London'),
  ]);
}

/** A chunk of a PNG. */
export function pngChunk(name: string, payload: Buffer): Buffer {
  const named = Buffer.concat([latin(name), payload]);
  return Buffer.concat([u32(payload.length), named, u32(crc32(named))]);
}

/** A PNG with colour profile, EXIF, XMP, comments (one of them compressed) and a time. */
export async function pngPhoto(orientation = 6): Promise<Buffer> {
  const plain = await halves(64, 48).png().withIccProfile('p3').toBuffer();
  const afterHeader = 8 + 25;
  return Buffer.concat([
    plain.subarray(0, afterHeader),
    pngChunk('eXIf', phoneExif(orientation)),
    pngChunk('tEXt', latin('Author\0Jane Doe')),
    pngChunk('zTXt', Buffer.concat([latin('Comment\0\0'), deflateSync(latin('Taken in London'))])),
    pngChunk('iTXt', latin(`XML:com.adobe.xmp\0\0\0\0\0${XMP}`)),
    pngChunk('tIME', Buffer.from([0x07, 0xe4, 5, 17, 10, 11, 12])),
    plain.subarray(afterHeader),
    latin('trailer: London'),
  ]);
}

const riff = (name: string, payload: Buffer) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(payload.length);
  return Buffer.concat([latin(name), size, payload, Buffer.alloc(payload.length % 2)]);
};

/** A lossless WebP with EXIF and XMP. */
export async function webpPhoto(orientation = 6): Promise<Buffer> {
  const plain = await halves(64, 48).webp({ lossless: true }).toBuffer();
  const header = Buffer.from([0x0c, 0, 0, 0, 63, 0, 0, 47, 0, 0]);
  const body = Buffer.concat([
    latin('WEBP'),
    riff('VP8X', header),
    plain.subarray(12),
    riff('EXIF', phoneExif(orientation)),
    riff('XMP ', latin(XMP)),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([latin('RIFF'), size, body]);
}

/** An animated GIF or WebP of `count` frames. */
export async function animation(format: 'gif' | 'webp', count = 3): Promise<Buffer> {
  const frames = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      sharp({ create: { width: 64, height: 48, channels: 3, background: { r: index * 60, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** An animated GIF with a comment and XMP before its first frame. */
export async function gifPhoto(): Promise<Buffer> {
  const plain = await animation('gif');
  const table = ((plain[10] ?? 0) & 0x80) === 0 ? 0 : 3 << (((plain[10] ?? 0) & 7) + 1);
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, 15]), latin('Taken in London'), Buffer.from([0])]);
  const tail = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);
  const xmp = Buffer.concat([Buffer.from([0x21, 0xff, 11]), latin(`XMP DataXMP${XMP}`), tail]);
  return Buffer.concat([
    plain.subarray(0, 13 + table),
    comment,
    xmp,
    plain.subarray(13 + table),
    latin('London'),
  ]);
}

/** A GIF of very many tiny frames. */
export function gifOfManyFrames(count: number): Buffer {
  const head = Buffer.from('47494638396101000100800000ff00000000ff', 'hex');
  const frame = Buffer.from('21f90404010000002c00000000010001000002024401 00'.replace(' ', ''), 'hex');
  return Buffer.concat([head, ...Array.from({ length: count }, () => frame), Buffer.from([0x3b])]);
}

/** A PNG of one bit per pixel that is small on disk and huge when decoded. */
export function hugePng(side: number): Buffer {
  const header = Buffer.concat([u32(side, side), Buffer.from([1, 0, 0, 0, 0])]);
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)), { level: 9 });
  const parts = [pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([latin('\x89PNG\r\n\x1a\n'), ...parts]);
}

/** A PNG as Xcode makes it for apps: 8 x 8 pixels of 200, 100, 50, half transparent. */
export function appPng(): Buffer {
  // Blue, green, red and opacity, the colours multiplied by it; each pixel as the difference from the one before.
  const row = Buffer.from([1, 25, 50, 100, 128, ...Array.from({ length: 4 * 7 }, () => 0)]);
  return Buffer.concat([
    latin('\x89PNG\r\n\x1a\n'),
    pngChunk('CgBI', Buffer.from('50002002', 'hex')),
    pngChunk('IHDR', Buffer.concat([u32(8, 8), Buffer.from([8, 6, 0, 0, 0])])),
    pngChunk('IDAT', deflateRawSync(Buffer.concat(Array.from({ length: 8 }, () => row)))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A Windows bitmap of one colour. */
export function bitmap(width: number, height: number): Buffer {
  const row = Math.ceil((width * 3) / 4) * 4;
  const head = Buffer.alloc(54);
  head.write('BM', 'latin1');
  head.writeUInt32LE(54 + row * height, 2);
  head.writeUInt32LE(54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  return Buffer.concat([head, Buffer.alloc(row * height, 0x7f)]);
}

/** An icon of one PNG image with the given side length. */
export const icon = async (side: number): Promise<Buffer> =>
  iconOf([await halves(side, side).png().toBuffer()]);

/** An icon of these PNG images. */
export function iconOf(pictures: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let from = head.length;
  for (const [index, png] of pictures.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(png.readUInt32BE(16) % 256, at);
    head.writeUInt8(png.readUInt32BE(20) % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(from, at + 12);
    from += png.length;
  }
  return Buffer.concat([head, ...pictures]);
}

/** One second of silence as a wave file. */
export function wave(): Buffer {
  const head = Buffer.from(
    '52494646000000005741564566 6d74201000000001000100401f0000803e000002001000'.replace(' ', ''),
    'hex',
  );
  const data = riff('data', Buffer.alloc(16_000));
  head.writeUInt32LE(head.length - 8 + data.length, 4);
  return Buffer.concat([head, data]);
}

/**
 * One frame of AV1 in an MP4, 64 x 48, red on the left and blue on the right, with a location in its user
 * data.
 */
export const av1Movie = () =>
  Buffer.from(
    'AAAAIGZ0eXBpc29tAAACAGlzb21hdjAxaXNvMm1wNDEAAAAIZnJlZQAAADZtZGF0CgoAAAACr/ef/zAIMiAQAMAAAAKAAAC023qAVRT/Z2JoCeej7F5CXFcAbnz1OAAAA0Jtb292AAAAbG12aGQAAAAAAAAAAAAAAAAAAAPoAAAD6AABAAABAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAACAAACLXRyYWsAAABcdGtoZAAAAAMAAAAAAAAAAAAAAAEAAAAAAAAD6AAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAQAAAADAAAAAAACRlZHRzAAAAHGVsc3QAAAAAAAAAAQAAA+gAAAAAAAEAAAAAAaVtZGlhAAAAIG1kaGQAAAAAAAAAAAAAAAAAAEAAAABAAFXEAAAAAAAtaGRscgAAAAAAAAAAdmlkZQAAAAAAAAAAAAAAAFZpZGVvSGFuZGxlcgAAAAFQbWluZgAAABR2bWhkAAAAAQAAAAAAAAAAAAAAJGRpbmYAAAAcZHJlZgAAAAAAAAABAAAADHVybCAAAAABAAABEHN0YmwAAACsc3RzZAAAAAAAAAABAAAAnGF2MDEAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAQAAwAEgAAABIAAAAAAAAAAEYTGF2YzU5LjM3LjEwMCBsaWJhb20tYXYxAAAAAAAAAAAY//8AAAAYYXYxQ4EADAAKCgAAAAKv95//MAgAAAAKZmllbAEAAAAAEHBhc3AAAAABAAAAAQAAABRidHJ0AAAAAAAAAXAAAAFwAAAAGHN0dHMAAAAAAAAAAQAAAAEAAEAAAAAAHHN0c2MAAAAAAAAAAQAAAAEAAAABAAAAAQAAABRzdHN6AAAAAAAAAC4AAAABAAAAFHN0Y28AAAAAAAAAAQAAADAAAAChdWR0YQAAAHZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABtZGlyYXBwbAAAAAAAAAAAAAAAAElpbHN0AAAAHKluYW0AAAAUZGF0YQAAAAEAAAAAVHJpcAAAACWpdG9vAAAAHWRhdGEAAAABAAAAAExhdmY1OS4yNy4xMDAAAAAjbG9jaQAAAAAAAAAA///fVgAzgN4AAAAAZWFydGgAAA==',
    'base64',
  );

/** The same in VP9 and WebM, with a location in its tags. */
export const webmMovie = () =>
  Buffer.from(
    'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZwEAAAAAAAIrEU2bdLpNu4tTq4QVSalmU6yBoU27i1OrhBZUrmtTrIHfTbuMU6uEElTDZ1OsggElTbuMU6uEHFO7a1OsggIV7AEAAAAAAABZAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmuSrXsYMPQkB7qYRUcmlwTYCNTGF2ZjU5LjI3LjEwMFdBjUxhdmY1OS4yNy4xMDBEiYhAj0AAAAAAABZUrmvBrgEAAAAAAAA414EBc8WIrRqyvtD18OecgQAitZyDdW5kiIEAhoVWX1ZQOYOBASPjg4Q7msoA4ImwgUC6gTCagQISVMNnQKRzc8NjwIBnyKBFo4hMT0NBVElPTkSHkis1MS41MDM0LTAwMC4xMjc2L2fImkWjh0VOQ09ERVJEh41MYXZmNTkuMjcuMTAwc3PbY8CLY8WIrRqyvtD18OdnyKVFo4dFTkNPREVSRIeYTGF2YzU5LjM3LjEwMCBsaWJ2cHgtdnA5Z8iiRaOIRFVSQVRJT05Eh5QwMDowMDowMS4wMDAwMDAwMDAAAB9DtnXB54EAo7yBAACAgkmDQgAD8AL2ADgkHBhKAAAwYAAAWhj///xER//+8Vz/////KkX////U4h/////6nEP//9ejWfAcU7trkbuPs4EAt4r3gQHxggHP8IED',
    'base64',
  );
