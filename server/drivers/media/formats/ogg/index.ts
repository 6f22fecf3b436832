import { oggCover } from '../audio-tags/covers.js';
import type { FormatDriver } from '../format.js';
import { cleanOgg } from './clean.js';

const startOf = (head: Buffer): string => head.toString('latin1', 0, 256);
const isOgg = (head: Buffer): boolean => startOf(head).startsWith('OggS');

/** Opus, Theora, and any other sound in Ogg. */
export const opus: FormatDriver = {
  is: (head) => isOgg(head) && startOf(head).includes('OpusHead'),
  clean: cleanOgg,
  demuxer: 'ogg',
  hasCover: oggCover,
};
/** Ogg with video. */
export const theora: FormatDriver = {
  is: (head) => isOgg(head) && startOf(head).includes('\x80theora'),
  clean: cleanOgg,
  demuxer: 'ogg',
};
export const ogg: FormatDriver = { is: isOgg, clean: cleanOgg, hasCover: oggCover, demuxer: 'ogg' };
