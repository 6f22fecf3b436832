import { type Edit, remove, zero } from '../../edits.js';
import { cleanInnerPicture } from '../../metadata/inner-picture.js';
import type { Removal } from '../../metadata/policy.js';
import { type ByteSource, counting, isZero } from '../../source.js';

const FILE_HEADER = 14;
const CORE_HEADER = 12;
/** The first header that has a compression and a number of colours. */
const INFO_HEADER = 40;
const [BIT_FIELDS, ALPHA_FIELDS] = [3, 6];
/** Compressions whose size follows from the dimensions: none, and none with masks for the colours. */
const PLAIN = [0, BIT_FIELDS, ALPHA_FIELDS];
/** The first header with a colour profile: its offset and size, counted from the header. */
const PROFILE_HEADER = 124;
/** The value for a profile inside the file; the others name a profile by its path. */
const EMBEDDED_PROFILE = 0x4d424544;

/** Removes what follows the picture and its colour profile in a Windows bitmap, and clears the gap in front of it. */
export async function cleanBmp(source: ByteSource): Promise<Edit[]> {
  const head = await source.read(0, FILE_HEADER + PROFILE_HEADER);
  const palette = paletteEnd(head);
  // Some programs leave it out.
  const start = head.readUInt32LE(10) || palette;
  const profile = profileOf(head);
  const end = Math.max(start + pixelBytes(head), profile.end, palette);
  const edits = end < source.size ? [remove(end, source.size)] : [];
  const gapEnd = Math.min(start, source.size);
  const inGap = profile.end > palette && profile.start < start;
  if (inGap || palette >= gapEnd || (await isZero(source, palette, gapEnd))) return edits;
  return [zero(palette, gapEnd), ...edits];
}

/** The end of the headers, masks and colours. */
function paletteEnd(head: Buffer): number {
  const size = head.readUInt32LE(FILE_HEADER);
  if (size === CORE_HEADER) {
    const bits = head.readUInt16LE(24);
    return FILE_HEADER + size + (bits <= 8 ? 3 * 2 ** bits : 0);
  }
  const bits = head.readUInt16LE(28);
  const hasMasks = size === INFO_HEADER && [BIT_FIELDS, ALPHA_FIELDS].includes(compressionOf(head));
  const masks = hasMasks ? 16 : 0;
  const used = size >= INFO_HEADER ? head.readUInt32LE(46) : 0;
  return FILE_HEADER + size + masks + 4 * (used || (bits <= 8 ? 2 ** bits : 0));
}

/** 0 for none; the oldest headers know no other. */
const compressionOf = (head: Buffer): number =>
  head.readUInt32LE(FILE_HEADER) < INFO_HEADER ? 0 : head.readUInt32LE(30);

/** What the pixels take, in bytes; infinite if the file does not tell. */
function pixelBytes(head: Buffer): number {
  const isCore = head.readUInt32LE(FILE_HEADER) === CORE_HEADER;
  const width = isCore ? head.readUInt16LE(18) : Math.abs(head.readInt32LE(18));
  const height = isCore ? head.readUInt16LE(20) : Math.abs(head.readInt32LE(22));
  const bits = head.readUInt16LE(isCore ? 24 : 28);
  if (PLAIN.includes(compressionOf(head))) return Math.ceil((width * bits) / 32) * 4 * height;
  return head.readUInt32LE(34) || Number.POSITIVE_INFINITY;
}

function profileOf(head: Buffer): { readonly start: number; readonly end: number } {
  const none = { start: 0, end: 0 };
  if (head.length < FILE_HEADER + PROFILE_HEADER || head.readUInt32LE(FILE_HEADER) < PROFILE_HEADER)
    return none;
  if (head.readUInt32LE(FILE_HEADER + 56) !== EMBEDDED_PROFILE) return none;
  const start = FILE_HEADER + head.readUInt32LE(FILE_HEADER + 112);
  return { start, end: start + head.readUInt32LE(FILE_HEADER + 116) };
}

const ENTRY = 16;
const PNG_MARK = 0x89504e47;

/** Cleans the PNG pictures of an icon or cursor in place, and removes what follows the last picture. */
export async function cleanIcon(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const count = (await source.read(4, 2)).readUInt16LE(0);
  const entries = await source.read(6, ENTRY * count);
  const edits: Edit[] = [];
  let last = 6 + entries.length;
  // Entries may share a picture, each with a copy of its own.
  const copied = counting(source.size);
  for (let at = 0; at + ENTRY <= entries.length; at += ENTRY) {
    const start = entries.readUInt32LE(at + 12);
    const size = entries.readUInt32LE(at + 8);
    // Without a size, the picture may extend to the end.
    const end = size === 0 ? source.size : Math.min(start + size, source.size);
    last = Math.max(last, end);
    const mark = await source.read(start, 4);
    if (end <= start || mark.length < 4 || mark.readUInt32BE(0) !== PNG_MARK) continue;
    copied(end - start);
    edits.push(...(await cleanInnerPicture(source, start, end, removal)));
  }
  if (last < source.size) edits.push(remove(last, source.size));
  return edits;
}
