import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { UploadBody } from './load.js';

/** The files that are uploaded and served, made anew for each bench. */
export interface Samples {
  /** A JPEG of about 100 KB; the uploads vary its quantisation table, so that each is another image. */
  readonly jpeg: UploadBody;
  /** 100 KB that are no image. */
  readonly binary: UploadBody;
  /** A PNG of about 5 MB. */
  readonly largeImage: string;
}

/** Writes the samples into a folder. */
export async function makeSamples(folder: string): Promise<Samples> {
  const jpeg = join(folder, 'sample.jpg');
  const binary = join(folder, 'sample.bin');
  const largeImage = join(folder, 'large.png');
  await noise(400).jpeg({ quality: 80 }).toFile(jpeg);
  await noise(1300).png({ compressionLevel: 0 }).toFile(largeImage);
  await writeFile(binary, randomBytes(100_000));
  const table = (await readFile(jpeg)).indexOf(Buffer.from([0xff, 0xdb]));
  return {
    // Marker, length and table number take 5 bytes; the last 8 of the 64 entries are the finest details.
    jpeg: { file: jpeg, filename: 'sample.jpg', contentType: 'image/jpeg', varyAt: table + 5 + 56 },
    binary: { file: binary, filename: 'sample.bin', contentType: 'application/octet-stream', varyAt: 50_000 },
    largeImage,
  };
}

function noise(side: number): ReturnType<typeof sharp> {
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });
}
