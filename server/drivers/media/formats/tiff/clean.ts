import type { Edit } from '../../edits.js';
import { readLayout } from '../../ifd.js';
import { blankEmbedded } from '../../metadata/embedded.js';
import { blankFields } from '../../metadata/exif.js';
import type { Removal } from '../../metadata/policy.js';
import type { ByteSource } from '../../source.js';
import { readRaw } from './raw.js';

/**
 * Removes metadata from a TIFF. A raw photograph needs most of its fields to be developed, so it only loses the
 * location, whatever the policy says.
 */
export async function cleanTiff(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const raw = removal === 'strip' && (await readRaw(source, null)) !== null;
  return [...(await blankFields(source, raw ? 'location' : removal)), ...(await blankEmbedded(source))];
}

/** Removes the location from a raw photograph; if it is no TIFF structure, from the blocks it contains. */
export async function cleanRaw(source: ByteSource): Promise<Edit[]> {
  const fields = (await readLayout(source)) === null ? [] : await blankFields(source, 'location');
  return [...fields, ...(await blankEmbedded(source))];
}
