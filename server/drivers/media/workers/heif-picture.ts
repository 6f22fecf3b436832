import { readFile } from 'node:fs/promises';
import { deflateSync } from 'node:zlib';
import type { Sharp } from 'sharp';
import { MAX_SIZE } from '../../../../routers/base/ports/media/ladder.js';
import { pngChunk } from '../../../shared/png-chunk.js';
import { readColours } from '../formats/iso/heif.js';
import { type ByteSource, withFile } from '../source.js';
import { readHeic } from './heic.js';
import { profileOf } from './named-colours.js';
import type { Open } from './opening.js';

/** The end of the signature and header of a PNG. */
const HEADER_END = 33;

/**
 * A picture with a colour profile that its decoder did not read, as an uncompressed PNG: libvips accepts a profile only
 * with a file. Unless it is wanted whole, it is made as small as the largest rendition first, and needs little memory.
 */
async function profiled(image: Sharp, profile: Buffer, whole: boolean): Promise<Buffer> {
  const png = await (whole ? image : image.resize(MAX_SIZE)).png({ compressionLevel: 0 }).toBuffer();
  const payload = Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile)]);
  return Buffer.concat([png.subarray(0, HEADER_END), pngChunk('iCCP', payload), png.subarray(HEADER_END)]);
}

/** Opens a HEIC or AVIF with its colours. With `whole`, it keeps all its pixels, otherwise those of the largest rendition. */
export async function openHeif(path: string, extension: string, open: Open, whole: boolean): Promise<Sharp> {
  const image = extension === 'avif' ? open(await readableAvif(path)).autoOrient() : await heic(path, open);
  return withFile(path, (source) => inOwnColours(image, source, extension, open, whole));
}

/** A picture of a HEIF container with the colours that the container states. */
export async function inOwnColours(
  image: Sharp,
  source: ByteSource,
  extension: string,
  open: Open,
  whole: boolean,
): Promise<Sharp> {
  const profile = await ignoredProfile(source, extension);
  return profile === null ? image : open(await profiled(image, profile, whole));
}

async function heic(path: string, open: Open): Promise<Sharp> {
  const { data, ...raw } = await readHeic(path);
  return open(data, { raw: { ...raw, channels: 4 } });
}

/** Brands of AVIF that libvips accepts. */
const AVIF_BRANDS = ['avif', 'mif1', 'msf1'];

/** An AVIF as libvips reads it: it refuses a sequence by its brand, although there is a still in it, too. */
async function readableAvif(path: string): Promise<string | Buffer> {
  const brand = await withFile(path, (source) => source.read(8, 4));
  if (AVIF_BRANDS.includes(brand.toString('latin1'))) return path;
  const bytes = await readFile(path);
  bytes.write('avif', 8, 'latin1');
  return bytes;
}

/** The colour profile of a HEIF container that its decoder does not apply; null if the picture is in sRGB without it. */
async function ignoredProfile(source: ByteSource, extension: string): Promise<Buffer | null> {
  const colours = await readColours(source);
  if (colours === null || !Buffer.isBuffer(colours)) return colours && profileOf(colours);
  // That of an AVIF is applied. One for other values than red, green and blue is not that of the decoded picture.
  return extension === 'avif' || colours.toString('latin1', 16, 20) !== 'RGB ' ? null : colours;
}
