import { isFrame, START_OF_SCAN, segments } from '../formats/jpeg/read.js';
import { isCgbi } from '../formats/png/read.js';
import { readIfd, readLayout, readTag, TAG } from '../ifd.js';
import type { ByteSource } from '../source.js';

/** The decoder of HEIC holds the whole picture several times, in its own colours and in those of a screen. Measured. */
const HEIC = 13.6;

/**
 * How many bytes of memory the decoder of a format needs for each pixel, by its headers; 0 if it works row by row,
 * null if nothing is known about it.
 */
export async function bytesPerPixel(source: ByteSource, extension: string): Promise<number | null> {
  if (extension === 'heic' || extension === 'heif') return HEIC;
  if (extension === 'jpg') return jpegDemand(source);
  if (extension === 'webp') return (await source.read(12, 4)).toString('latin1') === 'VP8 ' ? 2 : 5;
  if (extension === 'png') return pngDemand(await source.read(0, 29));
  return extension === 'tif' ? tiffDemand(source) : null;
}

/** A JPEG in one scan is shrunk while it is decoded; one in several must be held, as two bytes for each value. */
async function jpegDemand(source: ByteSource): Promise<number> {
  let progressive = false;
  let components: Buffer = Buffer.alloc(0);
  for await (const { marker, start } of segments(source)) {
    if (isFrame(marker)) {
      progressive = (marker & 3) === 2;
      components = await source.read(start + 9, 13);
    }
    if (marker === START_OF_SCAN) {
      const [inScan] = await source.read(start + 4, 1);
      return progressive || inScan !== components[0] ? 2 * valuesPerPixel(components) : 0;
    }
  }
  return 0;
}

/** How many values a frame has for each pixel, all its components together: three, or fewer if colours are coarser. */
function valuesPerPixel(components: Buffer): number {
  const shares = [2, 5, 8, 11].slice(0, components[0]).map((at) => {
    const sampling = components[at] ?? 0x11;
    return (sampling >> 4) * (sampling & 15);
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, ...shares);
}

const PNG_CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };

/** An interlaced PNG must be held as a whole. */
function pngDemand(head: Buffer): number | null {
  if (isCgbi(head)) return null;
  const [depth = 8, colour = 6, , , interlaced = 0] = head.subarray(24);
  return interlaced === 0 ? 0 : (PNG_CHANNELS[colour] ?? 4) * (depth > 8 ? 2 : 1) * 1.3;
}

/** A TIFF is decoded strip by strip, and one strip may hold everything. */
async function tiffDemand(source: ByteSource): Promise<number> {
  const layout = await readLayout(source);
  const ifd = layout === null ? null : await readIfd(source, layout, layout.firstIfd);
  if (layout === null || ifd === null) return 8;
  const height = (await readTag(source, layout, ifd, TAG.height)) ?? 1;
  const rows = (await readTag(source, layout, ifd, TAG.rowsPerStrip)) ?? height;
  return (8 * Math.min(rows, height)) / height;
}
