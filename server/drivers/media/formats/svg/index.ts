import type { FormatDriver } from '../format.js';
import { isSvg, readSvg } from './read.js';

/** SVG, as text in any encoding. */
export const svg: FormatDriver = {
  is: isSvg,
  read: readSvg,
  decoding: { by: 'svg', loaders: ['VipsForeignLoadSvgBuffer'] },
  rendition: () => 'png',
};
