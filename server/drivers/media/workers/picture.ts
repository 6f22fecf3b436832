import { readFile, stat } from 'node:fs/promises';
import type { Sharp, SharpConstructor } from 'sharp';
import type { MediaFacts } from '../../../../routers/base/ports/media/media.js';
import { MAX_FRAME_PIXELS, pixelsOf } from '../../../../routers/base/ports/media/pixels.js';
import { loadedOnce } from '../../../shared/loaded-once.js';
import type { Decoding } from '../formats/format.js';
import { driverOf, LOADERS } from '../formats/index.js';
import { isCgbi } from '../formats/png/read.js';
import { xmlText } from '../formats/svg/xml-text.js';
import { readFacts } from '../probe.js';
import { type ByteSource, withFile } from '../source.js';
import { openCgbi } from './cgbi.js';
import { frameAsPng } from './ffmpeg.js';
import { openHeif } from './heif-picture.js';
import type { Open } from './opening.js';

const MAX_BYTES = 4 * 1024 * 1024;

/** What lets an SVG load or define something else: entities, style sheets, other files, foreign markup. */
const ACTIVE = [
  /<!(?:ENTITY|ATTLIST|ELEMENT|NOTATION)/i,
  /<\?xml-stylesheet/i,
  /@import/i,
  /<(?:\w+:)?(?:script|foreignObject|iframe|include)\b/i,
  /\bxml:base\s*=/i,
  /\b(?:href|src)\s*=\s*(?:"\s*(?!#|data:image\/(?:png|jpeg|gif|webp);)[^"\s]|'\s*(?!#|data:image\/(?:png|jpeg|gif|webp);)[^'\s])/i,
  /url\(\s*(?:["']\s*)?(?!["'#\s]|data:image\/(?:png|jpeg|gif|webp);)[^)]/i,
];

const DECLARATION = /^\uFEFF?\s*<\?xml\s[^>]*\?>/;

/**
 * An SVG in UTF-8, without a declaration of another encoding. Throws unless it refers only to itself and to embedded
 * pictures. libvips looks for the root element near the start and without a prefix, so a comment names it there.
 */
async function inertSvg(path: string): Promise<Buffer> {
  if ((await stat(path)).size > MAX_BYTES) throw new Error('the drawing is too large');
  const text = xmlText(await readFile(path));
  if (text === null) throw new Error('the drawing is not text in its encoding');
  if (ACTIVE.some((pattern) => pattern.test(text))) throw new Error('the drawing refers to other files');
  return Buffer.from(`<!--<svg-->${text.replace(DECLARATION, '')}`);
}

/** Larger pictures are refused; this limits the time of all further steps. */
const MAX_PIXELS = 250_000_000;
/** What the pixels of a picture may need while it is decoded; a child process may have a little more. */
const MAX_DECODING_BYTES = 900_000_000;
/** A picture of more than `MAX_FRAME_PIXELS` with fewer bytes is no photograph, but may cost as much as one. */
const PIXELS_PER_BYTE = 500;
/** Decoders that need this much memory are limited by it; their formats code plain areas with hardly any bytes. */
const MUCH_PER_PIXEL = 5;

/** Throws if a picture is too large to be decoded in a child process. `bytesPerPixel` is what its decoder needs. */
function requireBearable(pixels: number, fileSize: number, bytesPerPixel: number | null): void {
  const limit = bytesPerPixel === null ? MAX_FRAME_PIXELS : MAX_PIXELS;
  if (pixels > limit) throw new Error(`more than ${limit / 1_000_000} megapixels`);
  if (pixels <= MAX_FRAME_PIXELS) return;
  const demand = bytesPerPixel ?? 0;
  if (pixels * demand > MAX_DECODING_BYTES) throw new Error('too much memory needed');
  if (demand < MUCH_PER_PIXEL && pixels > fileSize * PIXELS_PER_BYTE)
    throw new Error('too many pixels for so few bytes');
}

const MAX_FRAMES = 500;
/** For a picture of up to `MAX_FRAME_PIXELS`, and for a larger one. */
const TIMEOUT_SECONDS = { usual: 25, large: 80 };

interface Picture {
  readonly image: Sharp;
  readonly facts: MediaFacts;
  readonly animated: boolean;
}

/** `sharp` with its limits: one thread, no cache, and only the loaders that formats need, not those of later versions. */
export const loadSharp = loadedOnce(async (): Promise<SharpConstructor> => {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [...LOADERS] });
  return sharp;
});

/**
 * Opens a picture of any supported format. With `animation`, all frames are opened, or only the first if there are
 * more than the limits allow. With `whole`, it keeps all its pixels, otherwise at least those of the largest
 * rendition. Throws if the picture is too large, is not supported or would load something else.
 */
export async function openPicture(path: string, animation: boolean, whole = false): Promise<Picture> {
  const sharp = await loadSharp();
  const facts = await withFile(path, bearableFacts);
  const { decoding } = driverOf(facts.extension);
  if (decoding === undefined) throw new Error(`${facts.mimeType} cannot be decoded`);
  const pixels = pixelsOf(facts);
  const open: Open = (input, options = {}) =>
    sharp(input, {
      limitInputPixels: MAX_PIXELS,
      // Damaged photographs are shown as far as they go.
      failOn: decoding.whole === true ? 'error' : 'none',
      ...options,
    }).timeout({ seconds: pixels > MAX_FRAME_PIXELS ? TIMEOUT_SECONDS.large : TIMEOUT_SECONDS.usual });
  if (!animation || !facts.animated || decoding.frames !== true)
    return { image: await DECODERS[decoding.by]({ path, facts, open, whole }), facts, animated: false };
  const { pages = 1 } = await open(path).metadata();
  const bearable = pages <= MAX_FRAMES && pages * pixels <= MAX_FRAME_PIXELS;
  return { image: open(path, bearable ? { animated: true } : {}), facts, animated: bearable };
}

interface Opened {
  readonly path: string;
  readonly facts: MediaFacts;
  readonly open: Open;
  /** Whether all pixels are wanted. */
  readonly whole: boolean;
}

const upright = async ({ path, open }: Opened): Promise<Sharp> => open(path).autoOrient();

const DECODERS: Readonly<Record<Decoding['by'], (opened: Opened) => Promise<Sharp>>> = {
  libvips: upright,
  async png(opened) {
    const isVariant = await withFile(opened.path, async (source) => isCgbi(await source.read(0, 16)));
    return isVariant ? openCgbi(opened.path, opened.open) : upright(opened);
  },
  async heif({ path, facts, open, whole }) {
    if (pixelsOf(facts) === 0) throw new Error('the size of the picture is not known');
    return openHeif(path, facts.extension, open, whole);
  },
  svg: async ({ path, open }) => open(await inertSvg(path)),
  ffmpeg: async ({ path, open }) => open(await frameAsPng(path)),
};

/** What the headers of a picture say. Throws if it needs too much memory. */
async function bearableFacts(source: ByteSource): Promise<MediaFacts> {
  const facts = await readFacts(source);
  requireBearable(
    pixelsOf(facts),
    source.size,
    (await driverOf(facts.extension).bytesPerPixel?.(source)) ?? null,
  );
  return facts;
}
