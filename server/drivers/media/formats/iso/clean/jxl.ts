import { brotliDecompressSync } from 'node:zlib';
import { type Edit, overwrite, remove } from '../../../edits.js';
import { withoutFields } from '../../../metadata/exif.js';
import { type Removal, revealsLocation } from '../../../metadata/policy.js';
import type { ByteSource } from '../../../source.js';
import { type Box, everyBox, readBox } from '../boxes.js';

/**
 * The image itself. Not among them is what restores the JPEG it was made from (`jbrd`), byte for byte with its comments
 * and whatever followed it.
 */
const NEEDED = ['JXL ', 'ftyp', 'jxll', 'jxli', 'jxlc', 'jxlp'];
const MAX_PACKET = 8 * 1024 * 1024;
/** Of all compressed boxes together. */
const MAX_EXPANDED = 32 * 1024 * 1024;

/** Removes metadata from a JPEG XL image. Its boxes do not refer to each other, and a bare codestream has none. */
export async function cleanJxl(source: ByteSource, removal: Removal): Promise<Edit[]> {
  if ((await source.read(4, 4)).toString('latin1') !== 'JXL ') return [];
  const edits: Edit[] = [];
  const packed = { left: MAX_EXPANDED };
  for await (const box of everyBox(source, 0, source.size)) {
    if (NEEDED.includes(box.type)) continue;
    if (removal === 'strip' || box.end - box.start > MAX_PACKET) edits.push(remove(box.start, box.end));
    else edits.push(...(await withoutPlace(source, box, packed)));
  }
  return edits;
}

async function withoutPlace(source: ByteSource, box: Box, packed: { left: number }): Promise<Edit[]> {
  const payload = await readBox(source, box, MAX_PACKET);
  if (box.type === 'Exif' && payload.length > 4) {
    const at = 4 + payload.readUInt32BE(0);
    const thinned = await withoutFields(payload.subarray(at), 'location');
    return thinned === null ? [] : [overwrite(box.dataAt + at, thinned)];
  }
  if (box.type === 'xml ' && !revealsLocation(payload)) return [];
  if (
    box.type === 'brob' &&
    payload.toString('latin1', 0, 4) === 'xml ' &&
    !revealsLocation(expanded(payload, packed))
  )
    return [];
  return [remove(box.start, box.end)];
}

/** The text of a compressed box; what cannot be read, or is too much together, counts as a place. */
function expanded(payload: Buffer, packed: { left: number }): Buffer {
  try {
    const limit = Math.min(MAX_PACKET, packed.left);
    const text = brotliDecompressSync(payload.subarray(4), { maxOutputLength: limit });
    packed.left -= text.length;
    return text;
  } catch {
    packed.left -= MAX_PACKET;
    return Buffer.from('location');
  }
}
