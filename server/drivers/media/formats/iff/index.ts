import type { FormatDriver } from '../format.js';
import { cleanAvi } from './clean-avi.js';
import { cleanAiff, cleanWave } from './clean-sound.js';
import { readAvi, readWave } from './read.js';

/** The forms for more than 4 GB have names of their own. */
const isRiff = (head: Buffer, type: string): boolean =>
  /^(?:RIF[FX]|RF64|BW64)$/.test(head.toString('latin1', 0, 4)) && head.toString('latin1', 8, 12) === type;

/** Wave, AIFF and AVI. */
export const wave: FormatDriver = {
  is: (head) => isRiff(head, 'WAVE'),
  read: readWave,
  clean: cleanWave,
  demuxer: 'wav',
};
/** AIFF and AVI, whose chunks are those of IFF. */
export const aiff: FormatDriver = { clean: cleanAiff, demuxer: 'aiff' };
export const avi: FormatDriver = {
  is: (head) => isRiff(head, 'AVI '),
  read: readAvi,
  clean: cleanAvi,
  demuxer: 'avi',
};
