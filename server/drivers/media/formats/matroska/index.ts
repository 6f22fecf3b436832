import type { FormatDriver } from '../format.js';
import { cleanMatroska } from './clean.js';

const isMatroska = (head: Buffer): boolean => head.toString('latin1', 0, 4) === '\x1aE\xdf\xa3';
const isWebm = (head: Buffer): boolean =>
  isMatroska(head) &&
  /\x42\x82[\x81-\x9f](webm|matroska)/.exec(head.toString('latin1', 0, 256))?.[1] === 'webm';

/** WebM, and Matroska in general. */
export const webm: FormatDriver = { is: isWebm, clean: cleanMatroska, demuxer: 'matroska' };
/** Matroska and WebM. */
export const matroska: FormatDriver = {
  is: (head) => isMatroska(head) && !isWebm(head),
  clean: cleanMatroska,
  demuxer: 'matroska',
};
