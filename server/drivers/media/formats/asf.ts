import type { ByteSource } from '../source.js';
import { type Details, type FormatDriver, named } from './format.js';

/** How the descriptions of streams name their types, in the bytes of the file. */
const VIDEO = Buffer.from('c0ef19bc4d5bcf11a8fd00805f5c442b', 'hex');
const SOUND = Buffer.from('409e69f84d5bcf11a8fd00805f5c442b', 'hex');
/** Descriptions come first; what is behind this may be pictures. */
const MAX_HEADER = 1024 * 1024;

/** Windows Media is called by what is in it. */
async function readAsf(source: ByteSource): Promise<Details> {
  const start = await source.read(0, 30);
  if (start.length < 30) return {};
  const header = await source.read(0, Math.min(MAX_HEADER, Number(start.readBigUInt64LE(16))));
  if (header.includes(VIDEO)) return { format: named('wmv') };
  return header.includes(SOUND) ? { format: named('wma') } : {};
}

/** ASF, the container of Windows Media. */
export const asf: FormatDriver = { read: readAsf, demuxer: 'asf' };
