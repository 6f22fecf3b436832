import type { FormatName } from '../../../../../routers/base/ports/media/formats.js';
import { m4aCover } from '../audio-tags/covers.js';
import type { FormatDriver } from '../format.js';
import { isoFormat } from './brands.js';
import { cleanCanon } from './clean/canon.js';
import { cleanHeif, cleanMovie, cleanMusic } from './clean/index.js';
import { cleanJ2k, cleanJp2 } from './clean/jp2.js';
import { cleanJxl } from './clean/jxl.js';
import { faststart } from './faststart.js';
import { readHeif } from './heif.js';
import { readMp4 } from './movie.js';

const is = (name: FormatName) => (head: Buffer) => isoFormat(head) === name;
/** The decoder of HEIC holds the whole picture several times, in its own colours and in those of a screen. Measured. */
const HEIC_BYTES_PER_PIXEL = 13.6;

const movie = { read: readMp4, clean: cleanMovie, demuxer: 'mov' } as const;
const picture: FormatDriver = {
  read: readHeif,
  clean: cleanHeif,
  decoding: { by: 'heif', loaders: ['VipsForeignLoadHeifFile', 'VipsForeignLoadHeifBuffer'] },
};
const hevc: FormatDriver = { ...picture, bytesPerPixel: async () => HEIC_BYTES_PER_PIXEL };

/** AVIF. */
export const avif: FormatDriver = { ...picture, is: is('avif'), rendition: () => 'avif', tool: 'avif' };
/** HEIC, and HEIF in general. */
export const heic: FormatDriver = { ...hevc, is: is('heic') };
export const heif: FormatDriver = { ...hevc, is: is('heif') };
/** MP4, QuickTime, 3GP, and sound in MP4. */
export const mp4: FormatDriver = { ...movie, is: is('mp4'), indexFirst: faststart };
export const mov: FormatDriver = { ...movie, is: is('mov'), indexFirst: faststart };
export const mobile: FormatDriver = { ...movie, is: is('3gp') };
export const m4a: FormatDriver = {
  ...movie,
  is: is('m4a'),
  clean: cleanMusic,
  indexFirst: faststart,
  hasCover: m4aCover,
};
/** Canon's raw photographs. */
export const cr3: FormatDriver = { is: is('cr3'), clean: cleanCanon };
/** JPEG 2000 as a file, a movie, and a stream; JPEG XL. */
export const jp2: FormatDriver = { clean: cleanJp2 };
export const mj2: FormatDriver = { clean: cleanMovie };
export const j2c: FormatDriver = { clean: cleanJ2k };
export const jxl: FormatDriver = { clean: cleanJxl };
