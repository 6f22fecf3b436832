import { crc32 } from 'node:zlib';

/** The first bytes of a PNG. */
export const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A complete PNG chunk with length and checksum. */
export function pngChunk(name: string, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(payload.length + 12);
  bytes.writeUInt32BE(payload.length, 0);
  bytes.write(name, 4, 'latin1');
  payload.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, payload.length + 8)), payload.length + 8);
  return bytes;
}
