import type { FormatDriver } from '../format.js';
import { cleanAttachedMovie } from '../iso/clean/index.js';
import { cleanJpeg } from './clean.js';
import { isJpeg, jpegDemand, readJpeg } from './read.js';

/** JPEG. */
export const jpeg: FormatDriver = {
  is: isJpeg,
  read: readJpeg,
  clean: (source, removal) => cleanJpeg(source, removal, cleanAttachedMovie),
  decoding: { by: 'libvips', loaders: ['VipsForeignLoadJpegFile'] },
  bytesPerPixel: jpegDemand,
  tool: 'jpg',
};
