import { shift } from '../../../edits.js';
import { blankEmbedded } from '../../../metadata/embedded.js';
import { blankFields } from '../../../metadata/exif.js';
import { revealsLocation } from '../../../metadata/policy.js';
import { type ByteSource, slice } from '../../../source.js';
import { type Box, everyBox } from '../boxes.js';
import type { Blanker } from './blanker.js';
import { cleanIso } from './file.js';
import { XMP } from './rules.js';

const MAX_PACKET = 1024 * 1024;
const ID_SIZE = 16;
/** Camera settings; the others are a preview and settings of bursts, which developers of raw photographs read. */
const SETTINGS = '85c0b687820f11e08111f4ce462b6a48';
const KNOWN = [
  SETTINGS,
  'eaf42b5e1c984b88b9fbb7dc406e4d16',
  '5766b829bb6a47c5bcfb8b9f2260d06d',
  '210f1687914911e4811100242131fce4',
];

/** Removes the location from a raw photograph of Canon (CR3). Nothing moves or is renamed, because boxes refer to offsets. */
export async function cleanCanon(source: ByteSource) {
  const edits = await cleanIso(source, 'location', { extension: cleanExtension });
  return [...edits, ...(await blankEmbedded(source))];
}

async function cleanExtension(blanker: Blanker, box: Box, id: string): Promise<'stays' | null> {
  if (id === XMP) {
    const start = box.dataAt + ID_SIZE;
    const size = box.end - start;
    if (size > MAX_PACKET || revealsLocation(await blanker.source.read(start, size)))
      await blanker.blank(start, box.end);
    return 'stays';
  }
  if (!KNOWN.includes(id)) return null;
  if (id === SETTINGS) await cleanSettings(blanker, box);
  return 'stays';
}

/** Four TIFF structures: image, exposure, maker note, and the place alone. */
async function cleanSettings(blanker: Blanker, box: Box): Promise<void> {
  for await (const part of everyBox(blanker.source, box.dataAt + ID_SIZE, box.end)) {
    if (!/^CMT[1-4]$/.test(part.type)) continue;
    const fields = slice(blanker.source, part.dataAt, part.end);
    const edits = await blankFields(fields, part.type === 'CMT4' ? 'strip' : 'location');
    blanker.edits.push(...shift(edits, part.dataAt));
  }
}
