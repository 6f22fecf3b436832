import type { FormatDriver } from '../format.js';
import { cleanGif } from './clean.js';
import { isGif, readGif } from './read.js';

/** GIF. */
export const gif: FormatDriver = {
  is: isGif,
  read: readGif,
  clean: cleanGif,
  decoding: { by: 'libvips', loaders: ['VipsForeignLoadNsgifFile'], frames: true },
  rendition: (animated) => (animated ? 'webp' : 'png'),
  tool: 'gif',
};
