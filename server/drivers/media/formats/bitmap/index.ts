import type { FormatDriver } from '../format.js';
import { cleanBmp, cleanIcon } from './clean.js';
import { isBmp, isIco, readBmp, readIco } from './read.js';

const picture: FormatDriver = {
  decoding: { by: 'ffmpeg', loaders: ['VipsForeignLoadPngBuffer'] },
  rendition: () => 'png',
};

/** Bitmaps of Windows. */
export const bmp: FormatDriver = { ...picture, is: isBmp, read: readBmp, clean: cleanBmp };
/** Icons. */
export const ico: FormatDriver = { ...picture, is: isIco, read: readIco, clean: cleanIcon };
/** Mouse pointers. */
export const cur: FormatDriver = { clean: cleanIcon };
