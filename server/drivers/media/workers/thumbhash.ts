import { openPicture } from './picture.js';
import type { TaskRunner } from './tasks.js';

/** Maximum width and height for thumbhash. */
const SIDE = 100;

/** The thumbhash of a picture as base64, about 25 bytes. */
export const thumbhash: TaskRunner<'thumbhash'> = async ({ path }) => {
  const { rgbaToThumbHash } = await import('thumbhash');
  const { image } = await openPicture(path, false);
  const { data, info } = await image
    .resize({ width: SIDE, height: SIDE, fit: 'inside' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
};
