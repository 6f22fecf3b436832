import type { Sharp, SharpConstructor, SharpOptions } from 'sharp';
import type { MediaFacts } from '../../../routers/ports/media.js';
import { readFacts } from '../probe.js';
import { withFile } from '../source.js';
import { MAX_PIXELS } from './bounds.js';
import { frameAsPng } from './ffmpeg.js';
import { readHeic } from './heic.js';
import { inertSvg } from './inert-svg.js';

const MAX_FRAMES = 500;
const TIMEOUT_SECONDS = 25;

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
const DIRECT = ['jpg', 'png', 'webp', 'gif', 'tif', 'avif'];

/** A picture ready to be resized, and its facts. */
export interface Picture {
  readonly image: Sharp;
  readonly facts: MediaFacts;
  readonly animated: boolean;
}

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
 * more than the limits allow. Throws if the picture is too large, is not supported or would load something else.
 */
export async function openPicture(path: string, animation: boolean): Promise<Picture> {
  const sharp = await loadSharp();
  const facts = await withFile(path, readFacts);
  const pixels = (facts.width ?? 0) * (facts.height ?? 0);
  if (pixels > MAX_PIXELS) throw new Error(`more than ${MAX_PIXELS / 1_000_000} megapixels`);
  const open = (input: string | Buffer, options: SharpOptions = {}) =>
    sharp(input, { limitInputPixels: MAX_PIXELS, failOn: 'none', ...options }).timeout({
      seconds: TIMEOUT_SECONDS,
    });
  if (facts.extension === 'heic' || facts.extension === 'heif') {
    if (pixels === 0) throw new Error('the size of the picture is not known');
    const { data, ...raw } = await readHeic(path);
    return { image: open(data, { raw: { ...raw, channels: 4 } }), facts, animated: false };
  }
  if (facts.extension === 'bmp' || facts.extension === 'ico') {
    return { image: open(await frameAsPng(path)), facts, animated: false };
  }
  if (facts.extension === 'svg') return { image: open(await inertSvg(path)), facts, animated: false };
  if (!DIRECT.includes(facts.extension)) throw new Error(`${facts.mimeType} cannot be decoded`);
  const moving = facts.animated && (facts.extension === 'gif' || facts.extension === 'webp');
  if (!animation || !moving) return { image: open(path).autoOrient(), facts, animated: false };
  const { pages = 1 } = await open(path).metadata();
  const bearable = pages <= MAX_FRAMES && pages * pixels <= MAX_PIXELS;
  return { image: open(path, bearable ? { animated: true } : {}), facts, animated: bearable };
}
