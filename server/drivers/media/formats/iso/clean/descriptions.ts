import { type Box, everyBox, NOT_A_BOX, readBox } from '../boxes.js';
import type { Blanker } from './blanker.js';
import { DECODING } from './rules.js';

const VIDEO_FIELDS = 78;
const TIMECODE_FIELDS = 26;
/** Names of encoders that decide how the samples are decoded. */
const DECISIVE_NAMES = /^.?(Planar Y'CbCr|Sorenson)/s;

/** Erases names of encoders and makers from the sample descriptions (`stsd`) of a track, and boxes that no decoder needs. */
export async function cleanDescriptions(blanker: Blanker, stsd: Box, handler: string): Promise<void> {
  const version = (await readBox(blanker.source, stsd, 1))[0] ?? 0;
  for await (const entry of everyBox(blanker.source, Math.min(stsd.dataAt + 8, stsd.end), stsd.end)) {
    if (entry.type === NOT_A_BOX) continue;
    if (handler === 'vide' || handler === 'auxv' || handler === 'pict') await cleanPicture(blanker, entry);
    else if (handler === 'soun') await cleanSound(blanker, entry, version);
    else if (handler === 'tmcd') await cleanParts(blanker, entry, TIMECODE_FIELDS);
  }
}

async function cleanPicture(blanker: Blanker, entry: Box): Promise<void> {
  const fields = await readBox(blanker.source, entry, VIDEO_FIELDS);
  // The fields of Canon's raw photographs are longer, and nothing about them is known.
  if (fields.length < VIDEO_FIELDS || entry.type === 'CRAW') return;
  await cleanVendor(blanker, entry);
  const name = entry.dataAt + 42;
  const decisive = DECISIVE_NAMES.test(fields.toString('latin1', 42, 74));
  if (blanker.removal === 'strip' && !decisive) await blanker.blank(name, name + 32);
  await cleanParts(blanker, entry, VIDEO_FIELDS);
}

/** The fields of a sound have three lengths: two of QuickTime, and one of both. */
async function cleanSound(blanker: Blanker, entry: Box, version: number): Promise<void> {
  const fields = await readBox(blanker.source, entry, 64);
  if (fields.length < 28) return;
  await cleanVendor(blanker, entry);
  const own = version === 0 ? fields.readUInt16BE(8) : 0;
  await cleanParts(blanker, entry, own === 2 ? 64 : own === 1 ? 44 : 28);
}

async function cleanVendor(blanker: Blanker, entry: Box): Promise<void> {
  if (blanker.removal === 'strip') await blanker.blank(entry.dataAt + 12, entry.dataAt + 16);
}

/** What follows the fields and is no box belongs to an old decoder, and stays. */
async function cleanParts(blanker: Blanker, entry: Box, fields: number): Promise<void> {
  for await (const part of everyBox(blanker.source, Math.min(entry.dataAt + fields, entry.end), entry.end)) {
    if (part.type !== NOT_A_BOX && !DECODING.has(part.type)) await blanker.erase(part);
  }
}
