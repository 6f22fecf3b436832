import { writeFile } from 'node:fs/promises';
import type { OverlayOptions, Sharp } from 'sharp';
import type { PictureTool, ToolFormat } from '../../../../routers/base/ports/media/picture-tools.js';
import { driverOf } from '../formats/index.js';
import { bitmapOf } from './bitmap.js';
import { loadSharp, openPicture } from './picture.js';
import type { TaskRunner } from './tasks.js';

const QUALITY = 90;
/** Pixels between a watermark and the edge. */
const MARGIN = 10;

/** Tools that work on every frame of an animation alike. */
const FRAMEWISE = new Set<PictureTool['tool']>([
  'resize',
  'compress',
  'convert',
  'grayscale',
  'brightness',
  'blur',
  'sharpen',
]);

/** Changes a picture and writes it to `target` in its own format, or in that of a conversion. */
export const pictureTool: TaskRunner<'pictureTool'> = async ({ path, target, change }) => {
  const { image, facts } = await openPicture(path, FRAMEWISE.has(change.tool), true);
  const format = change.tool === 'convert' ? change.format : (driverOf(facts.extension).tool ?? 'png');
  const changed = await apply(image, change, format);
  const compressed = change.tool === 'compress' ? change.quality : null;
  await writeFile(
    target,
    format === 'bmp' ? await bitmapOf(changed) : await encode(changed, format, compressed).toBuffer(),
  );
  return format;
};

/** Encodes a picture, as small as a quality allows if there is one. */
function encode(image: Sharp, format: Exclude<ToolFormat, 'bmp'>, compressed: number | null): Sharp {
  const quality = compressed ?? QUALITY;
  if (format === 'webp') return image.webp({ quality });
  if (format === 'avif') return image.avif({ quality, effort: 2 });
  if (format === 'gif') return image.gif();
  if (format === 'tiff') return image.tiff({ quality, compression: 'deflate' });
  // Fewer colours are what makes a PNG smaller.
  if (format === 'png') return compressed === null ? image.png() : image.png({ quality, palette: true });
  return image.flatten({ background: '#000' }).jpeg({ quality });
}

async function apply(image: Sharp, change: PictureTool, format: ToolFormat): Promise<Sharp> {
  switch (change.tool) {
    case 'resize': {
      const { width, height, mode, maintainAspect } = change;
      const fit = mode === 'cover' ? 'cover' : mode === 'fit' && maintainAspect ? 'contain' : 'fill';
      return image.resize({ width, height, fit, background: '#000' });
    }
    case 'compress':
    case 'convert':
      return image;
    case 'crop':
      return image.extract({ left: change.x, top: change.y, width: change.w, height: change.h });
    case 'rotate':
      return rotate(image, change.angle, format);
    case 'flip': {
      const across = change.direction === 'vertical' ? image : image.flop();
      return change.direction === 'horizontal' ? across : across.flip();
    }
    case 'blur':
      return image.blur(change.radius / 2);
    case 'sharpen':
      return image.sharpen({ sigma: 1 + change.amount / 2 });
    case 'grayscale':
      return image.grayscale();
    case 'brightness': {
      const contrast = 1 + change.contrast / 100;
      const shift = 255 * (0.5 - 0.5 * contrast + change.brightness / 100);
      return image.modulate({ saturation: 1 + change.saturation / 100 }).linear(contrast, shift);
    }
    case 'watermark':
      return watermark(image, change);
  }
}

/** Quarter turns are exact; other angles keep the canvas, and what is outside of the picture stays empty. */
async function rotate(image: Sharp, angle: number, format: ToolFormat): Promise<Sharp> {
  const turn = ((angle % 360) + 360) % 360;
  const upright = await flat(image);
  if (turn % 90 === 0) return upright.image.rotate(turn);
  const background = format === 'jpg' ? '#000' : { r: 0, g: 0, b: 0, alpha: 0 };
  const turned = await flat(upright.image.rotate(turn, { background }));
  return turned.image.extract({
    left: Math.max(0, Math.floor((turned.width - upright.width) / 2)),
    top: Math.max(0, Math.floor((turned.height - upright.height) / 2)),
    width: Math.min(upright.width, turned.width),
    height: Math.min(upright.height, turned.height),
  });
}

/** The picture as it is after the changes so far, with its size. */
async function flat(image: Sharp) {
  const sharp = await loadSharp();
  const { data, info } = await image
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  return { image: sharp(data, { raw: { width, height, channels: 4 } }), width, height };
}

async function watermark(image: Sharp, change: Extract<PictureTool, { tool: 'watermark' }>): Promise<Sharp> {
  const upright = await flat(image);
  if (change.text.trim() === '') return upright.image;
  const shown = { ...change, quota: { width: upright.width - MARGIN, height: upright.height - MARGIN } };
  const shadow = await written(shown, 'black');
  const text = await written(shown, 'white');
  const { left, top } = placeOf(change.position, upright, text);
  const at = (overlay: Written, by: number): OverlayOptions => ({
    input: overlay.data,
    raw: { width: overlay.width, height: overlay.height, channels: 4 },
    left: Math.max(0, Math.min(left + by, upright.width - overlay.width)),
    top: Math.max(0, Math.min(top + by, upright.height - overlay.height)),
  });
  return upright.image.composite([at(shadow, 1), at(text, 0)]);
}

interface Written {
  readonly data: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The text as pixels of one colour, no larger than the room for it. */
async function written(
  {
    text,
    size,
    opacity,
    quota,
  }: { text: string; size: number; opacity: number; quota: { width: number; height: number } },
  colour: string,
): Promise<Written> {
  const sharp = await loadSharp();
  const escaped = text.replace(
    /[&<>]/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign,
  );
  const drawn = sharp({
    text: {
      text: `<span foreground="${colour}">${escaped}</span>`,
      font: `sans ${size}`,
      rgba: true,
      // At 72 dots per inch a point is a pixel.
      dpi: 72,
    },
  }).resize({
    width: Math.max(1, quota.width),
    height: Math.max(1, quota.height),
    fit: 'inside',
    withoutEnlargement: true,
  });
  const { data, info } = await drawn.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let alpha = 3; alpha < data.length; alpha += 4)
    data[alpha] = Math.round(((data[alpha] ?? 0) * opacity) / 100);
  return { data, width: info.width, height: info.height };
}

function placeOf(
  position: Extract<PictureTool, { tool: 'watermark' }>['position'],
  canvas: { readonly width: number; readonly height: number },
  text: Written,
): { readonly left: number; readonly top: number } {
  const right = canvas.width - text.width - MARGIN;
  const bottom = canvas.height - text.height - MARGIN;
  if (position === 'center')
    return {
      left: Math.round((canvas.width - text.width) / 2),
      top: Math.round((canvas.height - text.height) / 2),
    };
  return {
    left: position.endsWith('right') ? right : MARGIN,
    top: position.startsWith('bottom') ? bottom : MARGIN,
  };
}
