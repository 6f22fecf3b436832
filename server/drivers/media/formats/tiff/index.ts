import type { FormatDriver } from '../format.js';
import { cleanRaw, cleanTiff } from './clean.js';
import { hasMagic } from './raw.js';
import { isTiff, readTiff, tiffDemand } from './read.js';

/** TIFF; its reader recognises the raw photographs that have this structure. */
export const tiff: FormatDriver = {
  is: isTiff,
  read: readTiff,
  clean: cleanTiff,
  decoding: { by: 'libvips', loaders: ['VipsForeignLoadTiffFile'], whole: true },
  bytesPerPixel: tiffDemand,
  tool: 'tiff',
};

/** Raw photographs in a TIFF structure. */
export const raw: FormatDriver = { clean: cleanRaw };

/** Raw photographs in a structure of their own. */
export const raf: FormatDriver = { is: hasMagic('FUJIFILMCCD-RAW'), clean: cleanRaw };
/** Pictures of cameras in containers of their own. */
export const crw: FormatDriver = {
  is: hasMagic('II\x1a\0\0\0HEAPCCDR'),
  clean: cleanRaw,
  cleansPartly: true,
};
export const x3f: FormatDriver = { is: hasMagic('FOVb'), clean: cleanRaw, cleansPartly: true };
export const mrw: FormatDriver = { is: hasMagic('\0MRM'), clean: cleanRaw, cleansPartly: true };
