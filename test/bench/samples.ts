import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { screen } from '../support/media/screens.js';
import type { UploadBody } from './load.js';

/** The files that are uploaded and served, made anew for each bench. */
export interface Samples {
  /** A JPEG of about 100 KB. */
  readonly jpeg: UploadBody;
  /** 100 KB that are not an image. */
  readonly binary: UploadBody;
  /** A JPEG of two megapixels, about as hard to decode as a photograph. */
  readonly photograph: UploadBody;
}

/** Writes the samples into a folder. */
export async function makeSamples(folder: string): Promise<Samples> {
  const binary = join(folder, 'sample.bin');
  await writeFile(binary, randomBytes(100_000));
  const [jpeg, photograph] = await Promise.all([
    writeJpeg(join(folder, 'sample.jpg'), noise(400).jpeg({ quality: 80 })),
    writeJpeg(join(folder, 'photograph.jpg'), noise(400).resize(1632, 1224).jpeg({ quality: 85 })),
  ]);
  return {
    jpeg,
    photograph,
    binary: { file: binary, filename: 'sample.bin', contentType: 'application/octet-stream', varyAt: 50_000 },
  };
}

/** Writes a JPEG of a screen with words, which are read where that is on. */
export async function screenSample(folder: string, words: number): Promise<UploadBody> {
  const { png } = await screen(0, words);
  return writeJpeg(join(folder, 'screen.jpg'), sharp(png).jpeg({ quality: 85 }));
}

/** A different PNG of about 5 MB on each call. */
export const largeImage = (): Promise<Buffer> => noise(1300).png({ compressionLevel: 0 }).toBuffer();

/** Makes the variants of a sample by number, like the load generators. */
export async function variantsOf({ file, varyAt }: UploadBody): Promise<(number: number) => Buffer> {
  const sample = await readFile(file);
  return (number) => {
    const variant = Buffer.from(sample);
    for (let place = 0; place < 4; place += 1) {
      variant[varyAt + place] = 1 + (Math.floor(number / 250 ** place) % 250);
    }
    return variant;
  };
}

/** The uploads vary the quantisation table: each is a different image, but decoding takes the same time. */
async function writeJpeg(file: string, image: ReturnType<typeof sharp>): Promise<UploadBody> {
  const bytes = await image.toBuffer();
  await writeFile(file, bytes);
  // Marker, length and table number take 5 bytes; the last 8 of the 64 entries are the finest details.
  const varyAt = bytes.indexOf(Buffer.from([0xff, 0xdb])) + 5 + 56;
  return { file, filename: 'sample.jpg', contentType: 'image/jpeg', varyAt };
}

function noise(side: number): ReturnType<typeof sharp> {
  return sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } });
}
