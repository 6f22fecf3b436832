import { applied, type Edit, overwrite, zero } from '../edits.js';
import { cleanJpeg } from '../formats/jpeg/clean.js';
import { isJpeg } from '../formats/jpeg/read.js';
import { cleanPng } from '../formats/png/clean.js';
import { isPng } from '../formats/png/read.js';
import { type ByteSource, slice } from '../source.js';
import type { Removal } from './policy.js';

/**
 * Edits that clean a JPEG or PNG inside another file (a cover, a thumbnail) in place: what becomes shorter is followed by
 * zeros, which decoders ignore. Anything else is erased, because its metadata cannot be found.
 */
export async function cleanInnerPicture(
  source: ByteSource,
  start: number,
  end: number,
  removal: Removal,
): Promise<Edit[]> {
  const picture = slice(source, start, end);
  const head = await picture.read(0, 64);
  const clean = isJpeg(head) ? cleanJpeg : isPng(head) ? cleanPng : null;
  if (clean === null) return head.some((byte) => byte !== 0) ? [zero(start, end)] : [];
  const edits = await clean(picture, removal);
  if (edits.length === 0) return [];
  const cleaned = Buffer.alloc(picture.size);
  (await applied(picture, edits)).copy(cleaned);
  return cleaned.equals(await picture.read(0, picture.size)) ? [] : [overwrite(start, cleaned)];
}
