import { deflateSync, inflateRawSync } from 'node:zlib';
import type { Sharp } from 'sharp';
import { PNG_SIGNATURE, pngChunk } from '../../../shared/png-chunk.js';
import { chunks, payloadOf } from '../formats/png/read.js';
import { type ByteSource, withFile } from '../source.js';
import type { Open } from './opening.js';

/** By the colour type of the header. */
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** Opens the PNG that Xcode makes for apps, which only Apple's programs read. */
export async function openCgbi(path: string, open: Open): Promise<Sharp> {
  const plain = open(await withFile(path, plainPng)).ensureAlpha();
  const { data, info } = await plain.raw().toBuffer({ resolveWithObject: true });
  divideByOpacity(data);
  return open(data, { raw: { width: info.width, height: info.height, channels: 4 } });
}

/**
 * It as one that every program reads: with a header of its compression, and red before blue. Its colours are still
 * multiplied by their opacity.
 */
async function plainPng(source: ByteSource): Promise<Buffer> {
  let header: Buffer = Buffer.alloc(13);
  const parts: Buffer[] = [];
  for await (const chunk of chunks(source)) {
    if (chunk.name === 'IHDR') header = await payloadOf(source, chunk);
    if (chunk.name === 'IDAT') parts.push(await payloadOf(source, chunk));
  }
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, colour = 0, , , interlaced] = header.subarray(8);
  const channels = CHANNELS[colour];
  if (depth !== 8 || channels === undefined || interlaced !== 0) throw new Error('not as Xcode makes them');
  const row = 1 + width * channels;
  const rows = inflateRawSync(Buffer.concat(parts), { maxOutputLength: height * row });
  // The differences that a row consists of are those of each channel, so channels can be exchanged as they are.
  for (let at = 0; at < rows.length; at += row) {
    for (let pixel = at + 1; pixel + 2 < Math.min(at + row, rows.length); pixel += channels) {
      const blue = rows.readUInt8(pixel);
      rows.writeUInt8(rows.readUInt8(pixel + 2), pixel);
      rows.writeUInt8(blue, pixel + 2);
    }
  }
  const body = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows, { level: 1 }))];
  return Buffer.concat([PNG_SIGNATURE, ...body, pngChunk('IEND', Buffer.alloc(0))]);
}

/** Divides the colours of pixels of red, green, blue and opacity by their opacity. */
function divideByOpacity(pixels: Buffer): void {
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const opacity = pixels.readUInt8(at + 3);
    if (opacity === 0 || opacity === 255) continue;
    for (let channel = at; channel < at + 3; channel++)
      pixels.writeUInt8(Math.min(255, Math.round((pixels.readUInt8(channel) * 255) / opacity)), channel);
  }
}
