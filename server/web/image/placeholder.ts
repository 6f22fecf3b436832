import { deflateSync } from 'node:zlib';
import { thumbHashToRGBA } from 'thumbhash';
import { PNG_SIGNATURE, pngChunk } from '../../shared/png-chunk.js';

/** Longest side of a placeholder: it is shown enlarged and blurred, so more pixels only cost bytes. */
const SIDE = 12;

/** Whether a picture has transparent parts, as its thumbhash (base64) says. */
export function isTransparent(thumbhash: string | null): boolean {
  const third = thumbhash === null ? 0 : (Buffer.from(thumbhash, 'base64')[2] ?? 0);
  return third >= 128;
}

/**
 * Converts a thumbhash (base64) to a tiny PNG data URL of a few hundred bytes; null if it is invalid. Decoded on the
 * server, so that a gallery shows its colours before any script or image has arrived.
 */
export function placeholderUrl(thumbhash: string | null): string | null {
  if (thumbhash === null) return null;
  const hash = Buffer.from(thumbhash, 'base64');
  if (hash.length < 5 || hash.length > 40) return null;
  const { w, h, rgba } = thumbHashToRGBA(hash);
  const scale = Math.max(w, h) / SIDE;
  const width = Math.max(1, Math.round(w / scale));
  const height = Math.max(1, Math.round(h / scale));
  return `data:image/png;base64,${png(width, height, shrink(rgba, w, h, width, height)).toString('base64')}`;
}

function shrink(rgba: Uint8Array, w: number, h: number, width: number, height: number): Buffer {
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = (Math.floor(((y + 0.5) * h) / height) * w + Math.floor(((x + 0.5) * w) / width)) * 4;
      rows.set(rgba.subarray(from, from + 4), y * (1 + width * 4) + 1 + x * 4);
    }
  }
  return rows;
}

/** Rows start with a filter byte (0), as PNG requires. */
function png(width: number, height: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
