import type { Sharp, SharpConstructor, SharpOptions } from 'sharp';
import type { MediaFacts } from '../../../../routers/ports/media.js';
import { isCgbi } from '../formats/png/read.js';
import { readFacts } from '../probe.js';
import { type ByteSource, withFile } from '../source.js';
import { MAX_FRAME_PIXELS, MAX_PIXELS, pixelsOf, requireBearable } from './bounds.js';
import { openCgbi } from './cgbi.js';
import { bytesPerPixel } from './demand.js';
import { frameAsPng } from './ffmpeg.js';
import { openHeif } from './heif-picture.js';
import { inertSvg } from './inert-svg.js';

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

/** Opens what libvips reads, within the limits. */
export type Open = (input: string | Buffer, options?: SharpOptions) => Sharp;

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
    return { image: await openHeif(path, facts.extension, open, whole), facts, animated: false };
  }
  if (facts.extension === 'bmp' || facts.extension === 'ico') {
    return { image: open(await frameAsPng(path)), facts, animated: false };
  }
  if (facts.extension === 'png' && (await withFile(path, async (source) => isCgbi(await source.read(0, 16)))))
    return { image: await openCgbi(path, open), facts, animated: false };
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
