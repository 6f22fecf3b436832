import { crc32, deflateSync } from 'node:zlib';

/** QOI, the "Quite OK Image Format", in which Picsur keeps its images: https://qoiformat.org/qoi-specification.pdf */

const HEADER = 14;
/** Larger images would need more memory than an import has. */
const MAX_PIXELS = 100_000_000;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Whether these bytes begin as a QOI file does. */
export const isQoi = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'qoif';

/** The same picture as PNG, without loss; null if it is damaged, or larger than 100 megapixels. */
export function pngOfQoi(bytes: Buffer): Buffer | null {
  if (bytes.length < HEADER) return null;
  const [width, height, channels] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8), bytes[12] ?? 0];
  if (width === 0 || height === 0 || width * height > MAX_PIXELS || (channels !== 3 && channels !== 4))
    return null;
  const rows = decode(bytes, width, height, channels);
  if (rows === null) return null;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 4 ? 6 : 2, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The pixels, row by row, each behind the filter byte of PNG; null if the file ends before them. */
function decode(bytes: Buffer, width: number, height: number, channels: number): Buffer | null {
  const rows = Buffer.alloc((width * channels + 1) * height);
  const seen = new Uint8Array(64 * 4);
  let [red, green, blue, alpha] = [0, 0, 0, 255];
  let run = 0;
  let at = HEADER;
  let to = 0;
  const end = bytes.length;
  for (let y = 0; y < height; y += 1) {
    // No filter.
    to += 1;
    for (let x = 0; x < width; x += 1) {
      if (run > 0) run -= 1;
      else {
        if (at >= end) return null;
        const sign = bytes[at++] ?? 0;
        if (sign >= 0xfe) {
          if (at + (sign - 0xfe) + 3 > end) return null;
          [red, green, blue] = [bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0];
          at += 3;
          if (sign === 0xff) alpha = bytes[at++] ?? 0;
        } else if (sign < 0x40) {
          const index = sign * 4;
          red = seen[index] ?? 0;
          green = seen[index + 1] ?? 0;
          blue = seen[index + 2] ?? 0;
          alpha = seen[index + 3] ?? 0;
        } else if (sign < 0x80) {
          red = (red + ((sign >> 4) & 3) - 2) & 255;
          green = (green + ((sign >> 2) & 3) - 2) & 255;
          blue = (blue + (sign & 3) - 2) & 255;
        } else if (sign < 0xc0) {
          if (at >= end) return null;
          const more = bytes[at++] ?? 0;
          const change = (sign & 0x3f) - 32;
          red = (red + change - 8 + (more >> 4)) & 255;
          green = (green + change) & 255;
          blue = (blue + change - 8 + (more & 15)) & 255;
        } else run = sign & 0x3f;
        const index = ((red * 3 + green * 5 + blue * 7 + alpha * 11) % 64) * 4;
        seen[index] = red;
        seen[index + 1] = green;
        seen[index + 2] = blue;
        seen[index + 3] = alpha;
      }
      rows[to++] = red;
      rows[to++] = green;
      rows[to++] = blue;
      if (channels === 4) rows[to++] = alpha;
    }
  }
  return rows;
}

/** A chunk of a PNG file. */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
