import type { FormatDriver } from '../format.js';
import { cleanPng } from './clean.js';
import { isPng, pngDemand, readPng } from './read.js';

/** PNG, also animated and as Xcode writes it. */
export const png: FormatDriver = {
  is: isPng,
  read: readPng,
  clean: cleanPng,
  decoding: { by: 'png', loaders: ['VipsForeignLoadPngFile', 'VipsForeignLoadPngBuffer'] },
  bytesPerPixel: pngDemand,
  rendition: () => 'png',
  tool: 'png',
};
