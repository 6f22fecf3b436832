import type { FormatDriver } from '../format.js';
import { cleanWebp } from './clean.js';
import { isWebp, readWebp, webpDemand } from './read.js';

/** WebP. */
export const webp: FormatDriver = {
  is: isWebp,
  read: readWebp,
  clean: cleanWebp,
  decoding: { by: 'libvips', loaders: ['VipsForeignLoadWebpFile'], frames: true },
  bytesPerPixel: webpDemand,
  rendition: () => 'webp',
  tool: 'webp',
};
