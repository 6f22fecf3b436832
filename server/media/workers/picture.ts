import { readFile } from 'node:fs/promises';
import type { Sharp, SharpConstructor, SharpOptions } from 'sharp';
import type { MediaFacts } from '../../../routers/ports/media.js';
import { readColours } from '../formats/heif.js';
import { readFacts } from '../probe.js';
import { type ByteSource, withFile } from '../source.js';
import { MAX_FRAME_PIXELS, MAX_PIXELS, pixelsOf, requireBearable } from './bounds.js';
import { bytesPerPixel } from './demand.js';
import { frameAsPng } from './ffmpeg.js';
import { readHeic } from './heic.js';
import { inertSvg } from './inert-svg.js';
import { profileOf } from './named-colours.js';
import { profiled } from './profiled.js';

const MAX_FRAMES = 500;
/** For a picture of up to `MAX_FRAME_PIXELS`, and for a larger one. */
const TIMEOUT_SECONDS = { usual: 25, large: 80 };

/** The loaders that may be used; all others, including those of later versions, stay blocked. */
const LOADERS = [
  'VipsForeignLoadJpegFile',
  'VipsForeignLoadPngFile',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpFile',
  'VipsForeignLoadNsgifFile',
  'VipsForeignLoadTiffFile',
  'VipsForeignLoadHeifFile',
  'VipsForeignLoadHeifBuffer',
  'VipsForeignLoadSvgBuffer',
];
const DIRECT = ['jpg', 'png', 'webp', 'gif', 'tif'];
const HEIF = ['heic', 'heif', 'avif'];

/** A picture ready to be resized, and its facts. */
export interface Picture {
  readonly image: Sharp;
  readonly facts: MediaFacts;
  readonly animated: boolean;
}

type Open = (input: string | Buffer, options?: SharpOptions) => Sharp;

let guarded: Promise<SharpConstructor> | null = null;

/** `sharp` with its limits: one thread, no cache, only these loaders. */
export function loadSharp(): Promise<SharpConstructor> {
  guarded ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.cache(false);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: LOADERS });
    return sharp;
  });
  return guarded;
}

/**
 * Opens a picture of any supported format. With `animation`, all frames are opened, or only the first if there are
 * more than the limits allow. With `whole`, it keeps all its pixels, otherwise at least those of the largest
 * rendition. Throws if the picture is too large, is not supported or would load something else.
 */
export async function openPicture(path: string, animation: boolean, whole = false): Promise<Picture> {
  const sharp = await loadSharp();
  const facts = await withFile(path, bearableFacts);
  const pixels = pixelsOf(facts);
  // Damaged photographs are shown as far as they go; of a TIFF nothing but black would be left.
  const failOn = facts.extension === 'tif' ? 'error' : 'none';
  const open: Open = (input, options = {}) =>
    sharp(input, { limitInputPixels: MAX_PIXELS, failOn, ...options }).timeout({
      seconds: pixels > MAX_FRAME_PIXELS ? TIMEOUT_SECONDS.large : TIMEOUT_SECONDS.usual,
    });
  if (HEIF.includes(facts.extension)) {
    if (pixels === 0) throw new Error('the size of the picture is not known');
    const image =
      facts.extension === 'avif' ? open(await readableAvif(path)).autoOrient() : await heic(path, open);
    const profile = await withFile(path, (source) => ignoredProfile(source, facts.extension));
    const shown = profile === null ? image : open(await profiled(image, profile, whole));
    return { image: shown, facts, animated: false };
  }
  if (facts.extension === 'bmp' || facts.extension === 'ico') {
    return { image: open(await frameAsPng(path)), facts, animated: false };
  }
  if (facts.extension === 'svg') return { image: open(await inertSvg(path)), facts, animated: false };
  if (!DIRECT.includes(facts.extension)) throw new Error(`${facts.mimeType} cannot be decoded`);
  const moving = facts.animated && (facts.extension === 'gif' || facts.extension === 'webp');
  if (!animation || !moving) return { image: open(path).autoOrient(), facts, animated: false };
  const { pages = 1 } = await open(path).metadata();
  const bearable = pages <= MAX_FRAMES && pages * pixels <= MAX_FRAME_PIXELS;
  return { image: open(path, bearable ? { animated: true } : {}), facts, animated: bearable };
}

/** What the headers of a picture say. Throws if it needs too much memory. */
async function bearableFacts(source: ByteSource): Promise<MediaFacts> {
  const facts = await readFacts(source);
  requireBearable(pixelsOf(facts), source.size, await bytesPerPixel(source, facts.extension));
  return facts;
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
