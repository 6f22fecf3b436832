import { deflateSync } from 'node:zlib';
import type { Sharp } from 'sharp';
import { MAX_SIZE } from '../../../../routers/base/ports/media/ladder.js';
import { pngChunk } from '../../../shared/png-chunk.js';

/** The end of the signature and header of a PNG. */
const HEADER_END = 33;

/**
 * A picture with a colour profile that its decoder did not read, as an uncompressed PNG: libvips accepts a profile only
 * with a file. Unless it is wanted whole, it is made as small as the largest rendition first, and needs little memory.
 */
export async function profiled(image: Sharp, profile: Buffer, whole: boolean): Promise<Buffer> {
  const png = await (whole ? image : image.resize(MAX_SIZE)).png({ compressionLevel: 0 }).toBuffer();
  const payload = Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile)]);
  return Buffer.concat([png.subarray(0, HEADER_END), pngChunk('iCCP', payload), png.subarray(HEADER_END)]);
}
