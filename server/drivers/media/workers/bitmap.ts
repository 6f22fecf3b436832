import type { Sharp } from 'sharp';

/** The headers: of the file, and of a picture of 24 bits per pixel. */
const HEADERS = 14 + 40;
const PIXELS_PER_METRE = 2_835;

/** A picture as a BMP, which libvips does not write; what is transparent becomes black. */
export async function bitmapOf(image: Sharp): Promise<Buffer> {
  const { data, info } = await image
    .flatten({ background: '#000' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const row = Math.ceil((width * 3) / 4) * 4;
  const bitmap = Buffer.alloc(HEADERS + row * height);
  bitmap.write('BM', 'latin1');
  bitmap.writeUInt32LE(bitmap.length, 2);
  bitmap.writeUInt32LE(HEADERS, 10);
  bitmap.writeUInt32LE(40, 14);
  bitmap.writeInt32LE(width, 18);
  bitmap.writeInt32LE(height, 22);
  bitmap.writeUInt16LE(1, 26);
  bitmap.writeUInt16LE(24, 28);
  bitmap.writeUInt32LE(row * height, 34);
  bitmap.writeInt32LE(PIXELS_PER_METRE, 38);
  bitmap.writeInt32LE(PIXELS_PER_METRE, 42);
  for (let y = 0; y < height; y += 1) {
    // The lowest row comes first.
    let to = HEADERS + (height - 1 - y) * row;
    for (let from = y * width * channels; from < (y + 1) * width * channels; from += channels) {
      const red = data[from] ?? 0;
      bitmap[to] = channels < 3 ? red : (data[from + 2] ?? 0);
      bitmap[to + 1] = channels < 3 ? red : (data[from + 1] ?? 0);
      bitmap[to + 2] = red;
      to += 3;
    }
  }
  return bitmap;
}
