import { type Edit, overwrite, shift, zero } from '../edits.js';
import { type ByteSource, counting } from '../source.js';
import { withoutFields } from './exif.js';
import { namesPlace } from './policy.js';

const READ = 1024 * 1024;
/** A segment of a JPEG has at most this many bytes. */
const MAX_SEGMENT = 0xffff;
const MAX_PACKET = 1024 * 1024;
/** What a signature needs around it within the bytes that were read. */
const MARGIN = 64;

const EXIF = Buffer.from('Exif\0\0', 'latin1');
const RESOURCES = Buffer.from('Photoshop 3.0\0', 'latin1');
const XMP = Buffer.from('<x:xmpmeta', 'latin1');
const XMP_END = Buffer.from('</x:xmpmeta>', 'latin1');
const EXTENDED_XMP = Buffer.from('http://ns.adobe.com/xmp/extension/\0', 'latin1');
const SIGNATURES = [EXIF, RESOURCES, XMP, EXTENDED_XMP];

/**
 * Blanks the places in previews and packets wherever they are in a file: each preview has a copy of the EXIF block,
 * and every maker keeps them elsewhere. Nothing moves, because other parts depend on offsets.
 */
export async function blankEmbedded(source: ByteSource): Promise<Edit[]> {
  const edits: Edit[] = [];
  const block = counting();
  /** The end of the last blanked packet: one within it needs no copy of its own. */
  let blanked = 0;
  for (let at = 0; at < source.size; at += READ - MARGIN) {
    const bytes = await source.read(at, READ);
    const last = at + bytes.length >= source.size;
    for (const signature of SIGNATURES) {
      for (let found = bytes.indexOf(signature); found !== -1; found = bytes.indexOf(signature, found + 1)) {
        if (!last && found >= READ - MARGIN) continue;
        if (signature === XMP && at + found < blanked) continue;
        block();
        const made = await blankAt(source, at + found, signature);
        if (signature === XMP) blanked = made[0]?.end ?? blanked;
        edits.push(...made);
      }
    }
  }
  return edits;
}

async function blankAt(source: ByteSource, at: number, signature: Buffer): Promise<Edit[]> {
  if (signature === EXIF) return blankExif(source, at + EXIF.length);
  if (signature === XMP) return blankXmp(source, at);
  return blankSegment(source, at);
}

async function blankExif(source: ByteSource, at: number): Promise<Edit[]> {
  const block = await source.read(at, MAX_SEGMENT);
  const thinned = await withoutFields(block, 'location');
  return thinned === null ? [] : shift(differences(block, thinned), at);
}

/** Only the bytes that differ: what follows a short block belongs to something else, which is edited too. */
function differences(before: Buffer, after: Buffer): Edit[] {
  const edits: Edit[] = [];
  for (let at = 0; at < before.length; at++) {
    if (before[at] === after[at]) continue;
    const start = at;
    while (at < before.length && before[at] !== after[at]) at++;
    edits.push(overwrite(start, after.subarray(start, at)));
  }
  return edits;
}

async function blankXmp(source: ByteSource, at: number): Promise<Edit[]> {
  const packet = await source.read(at, MAX_PACKET);
  const end = packet.indexOf(XMP_END);
  const whole = end === -1 ? null : packet.subarray(0, end + XMP_END.length);
  if (whole === null || !namesPlace(whole)) return [];
  return [overwrite(at, Buffer.alloc(whole.length, ' '))];
}

/** A segment of a JPEG whose payload begins at `at`. */
async function blankSegment(source: ByteSource, at: number): Promise<Edit[]> {
  const head = await source.read(at - 4, 4);
  if (head.length < 4 || head[0] !== 0xff) return [];
  const end = Math.min(at - 2 + head.readUInt16BE(2), source.size);
  return end > at && namesPlace(await source.read(at, end - at)) ? [zero(at, end)] : [];
}
