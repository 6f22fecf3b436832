import type { Sharp } from 'sharp';
import type { MediaFacts } from '../../../../routers/base/ports/media/media.js';
import { PREVIEW, previewSize } from '../../../../routers/base/ports/media/preview-size.js';
import { loadSharp } from './picture.js';

const QUALITIES = [82, 68, 50, 35, 22];
/** Noise that no quality makes small enough becomes softer instead. */
const SOFTER = { sigma: 1.5, quality: 35 };

/** A JPEG of a picture, small enough for link previews, and exactly as large as `previewSize` of its facts says. */
export async function previewJpeg(
  image: Sharp,
  { width, height }: Pick<MediaFacts, 'width' | 'height'>,
): Promise<Buffer> {
  const { data, info } = await image
    .resize(
      width === null || height === null
        ? { width: PREVIEW.side, height: PREVIEW.side, fit: 'inside', withoutEnlargement: true }
        : { ...previewSize({ width, height }), fit: 'fill' },
    )
    .flatten({ background: '#fff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const sharp = await loadSharp();
  const pixels = (): Sharp =>
    sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } });
  for (const quality of QUALITIES) {
    const jpeg = await pixels().jpeg({ quality, progressive: true }).toBuffer();
    if (jpeg.length <= PREVIEW.bytes) return jpeg;
  }
  return pixels().blur(SOFTER.sigma).jpeg({ quality: SOFTER.quality, progressive: true }).toBuffer();
}
