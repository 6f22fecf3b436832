import { writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { ladderWidth, MAX_SIZE } from '../../../../routers/base/ports/media/ladder.js';
import type { RenditionFormat } from '../../../../routers/base/ports/media/media.js';
import { driverOf } from '../formats/index.js';
import { openPicture } from './picture.js';
import { previewJpeg } from './preview.js';
import type { TaskRunner } from './tasks.js';

function encode(image: Sharp, format: RenditionFormat): Sharp {
  if (format === 'webp') return image.webp({ quality: 80, effort: 3 });
  if (format === 'avif') return image.avif({ quality: 55, effort: 2 });
  if (format === 'png') return image.png({ compressionLevel: 7 });
  return image.flatten({ background: '#fff' }).jpeg({ quality: 82, progressive: true });
}

/** Makes a rendition: upright, in sRGB, without metadata, never larger than the original. */
export const rendition: TaskRunner<'rendition'> = async ({ path, target, request }) => {
  const animation = request.format === null || request.format === 'webp';
  const { image, facts } = await openPicture(path, animation);
  if (request.format === 'preview') {
    await writeFile(target, await previewJpeg(image, facts));
    return 'jpeg';
  }
  const format = request.format ?? driverOf(facts.extension).rendition?.(facts.animated) ?? 'jpeg';
  const resized = image.resize({ ...MAX_SIZE, width: ladderWidth(request.width) });
  // Not written by the library: it does not distinguish a full disk from a file that cannot be decoded.
  await writeFile(target, await encode(resized, format).toBuffer());
  return format;
};
