import type { Range } from '../../../edits.js';
import { withoutFields } from '../../../metadata/exif.js';
import { cleanInnerPicture } from '../../../metadata/inner-picture.js';
import { revealsLocation } from '../../../metadata/policy.js';
import { type ByteSource, counting } from '../../../source.js';
import { type Box, everyBox, findBox, metaSkip, NOT_A_BOX, readBox } from '../boxes.js';
import type { Blanker } from './blanker.js';
import { IMAGE_GROUPS, IMAGE_ITEMS, IMAGE_PARTS, IMAGE_PROPERTIES, IMAGE_REFERENCES } from './rules.js';

const MAX_TABLE = 1024 * 1024;
const MAX_ITEM = 8 * 1024 * 1024;
const MAX_NAME = 1024;
/** A TIFF structure with an empty directory, after the offset field that HEIF puts before EXIF. */
const EMPTY_EXIF = Buffer.from('000000004d4d002a00000008000000000000', 'hex');

/** Items that may be understood. */
const DESCRIBING = ['Exif', 'mime', 'uri '];
const EMPTY_XMP = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');

interface Item {
  readonly id: number;
  readonly type: string;
}

/**
 * Cleans the `meta` box of a HEIF or AVIF file in place: the image, its properties (orientation, colour) and auxiliary
 * images stay; EXIF, XMP and other descriptive items are blanked, and boxes that are not needed become free space.
 */
export async function cleanItems(blanker: Blanker, meta: Box): Promise<void> {
  const { source, removal, edits } = blanker;
  for await (const box of blanker.needed(meta, IMAGE_PARTS, await metaSkip(source, meta))) {
    if (box.type === 'iprp') await cleanProperties(blanker, box);
    if (box.type === 'iref') await blanker.eraseOthers(box, IMAGE_REFERENCES, 4);
    if (box.type === 'grpl') await blanker.eraseOthers(box, IMAGE_GROUPS);
    if (box.type === 'hdlr' && removal === 'strip')
      await blanker.blank(Math.min(box.dataAt + 12, box.end), box.end);
  }
  const locations = await itemLocations(source, meta);
  // Items may overlap, each with a copy of its own.
  const copied = counting(source.size);
  for (const item of await items(blanker, meta)) {
    const extents = locations.get(item.id) ?? [];
    if (item.type === 'jpeg') {
      for (const { start, end } of extents) {
        copied(end - start);
        edits.push(...(await cleanInnerPicture(source, start, end, removal)));
      }
    } else if (!IMAGE_ITEMS.has(item.type)) await blankItem(blanker, item, extents);
  }
}

/** Properties keep their number, because items refer to them by position. */
async function cleanProperties(blanker: Blanker, iprp: Box): Promise<void> {
  for await (const box of blanker.needed(iprp, new Set(['ipco', 'ipma']))) {
    if (box.type === 'ipco') await blanker.eraseOthers(box, IMAGE_PROPERTIES);
  }
}

/** Empties an item that is no image; with `location` only if it names a place, or nobody knows what it says. */
async function blankItem(blanker: Blanker, item: Item, extents: readonly Range[]): Promise<void> {
  const { source, removal } = blanker;
  const [extent] = extents;
  const size = extent === undefined ? 0 : extent.end - extent.start;
  if (extent === undefined || extents.length > 1 || size > MAX_ITEM || !DESCRIBING.includes(item.type)) {
    for (const { start, end } of extents) await blanker.blank(start, end);
    return;
  }
  const payload = await source.read(extent.start, size);
  if (item.type !== 'Exif') {
    const wanted = Buffer.alloc(size, ' ');
    if (size >= EMPTY_XMP.length) EMPTY_XMP.copy(wanted);
    if (removal === 'strip' || revealsLocation(payload)) await blanker.rewrite(extent.start, wanted);
  } else if (removal === 'strip') {
    const wanted = Buffer.alloc(size);
    EMPTY_EXIF.copy(wanted);
    await blanker.rewrite(extent.start, wanted);
  } else {
    const at = size < 4 ? 0 : 4 + payload.readUInt32BE(0);
    const thinned = await withoutFields(payload.subarray(at), removal);
    if (thinned !== null) await blanker.rewrite(extent.start + at, thinned);
  }
}

/** All items; their names are erased. */
async function items(blanker: Blanker, meta: Box): Promise<Item[]> {
  const { source } = blanker;
  const iinf = await child(source, meta, 'iinf');
  if (iinf === null) return [];
  const version = (await source.read(iinf.dataAt, 1))[0] ?? 0;
  const found: Item[] = [];
  for await (const infe of everyBox(source, iinf.dataAt + (version === 0 ? 6 : 8), iinf.end)) {
    const entry = await readBox(source, infe, MAX_NAME);
    const wide = entry[0] === 3;
    const names = wide ? 14 : 12;
    if (infe.type === NOT_A_BOX || (entry[0] ?? 0) < 2 || entry.length < names) continue;
    const type = entry.toString('latin1', names - 4, names);
    found.push({ id: entry.readUIntBE(4, wide ? 4 : 2), type });
    if (blanker.removal === 'strip')
      await blanker.rewrite(infe.dataAt + names, nameless(entry.subarray(names), type));
  }
  return found;
}

/** The strings of an item without its name: for data of a media type, the type and its encoding follow. */
function nameless(strings: Buffer, type: string): Buffer {
  const wanted = Buffer.alloc(strings.length);
  const typeAt = strings.indexOf(0) + 1;
  if (type === 'mime' && typeAt > 0) strings.copy(wanted, 1, typeAt);
  return wanted;
}

async function child(source: ByteSource, meta: Box, type: string): Promise<Box | null> {
  const skip = await metaSkip(source, meta);
  return findBox(source, { ...meta, dataAt: meta.dataAt + skip }, type);
}

/** Reads the fields of a binary table in order; past the end everything is 0. */
class Cursor {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  next(size: number): number {
    const at = this.#at;
    this.#at += size;
    if (this.#at > this.bytes.length) return 0;
    if (size === 8) return Number(this.bytes.readBigUInt64BE(at));
    return size >= 1 && size <= 4 ? this.bytes.readUIntBE(at, size) : 0;
  }

  get done(): boolean {
    return this.#at >= this.bytes.length;
  }
}

/** The positions of the items of a `meta` box in the file. */
async function itemLocations(source: ByteSource, meta: Box): Promise<Map<number, Range[]>> {
  const found = new Map<number, Range[]>();
  const iloc = await child(source, meta, 'iloc');
  if (iloc === null) return found;
  const idat = await child(source, meta, 'idat');
  const table = new Cursor(await readBox(source, iloc, MAX_TABLE));
  const version = table.next(1);
  table.next(3);
  const sizes = table.next(2);
  const [offsetSize, lengthSize, baseSize, indexSize] = [12, 8, 4, 0].map((bits) => (sizes >> bits) & 15) as [
    number,
    number,
    number,
    number,
  ];
  const count = table.next(version < 2 ? 2 : 4);
  for (let left = count; left > 0 && !table.done; left--) {
    const id = table.next(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : table.next(2) & 15;
    table.next(2);
    const base = table.next(baseSize) + (method === 1 ? (idat?.dataAt ?? Number.NaN) : 0);
    const extents: Range[] = [];
    const announced = table.next(2);
    // An extent without fields takes no place in the table, which would then never end.
    const isBare = offsetSize + lengthSize + (version > 0 ? indexSize : 0) === 0;
    for (let extent = isBare ? Math.min(announced, 1) : announced; extent > 0 && !table.done; extent--) {
      if (version > 0) table.next(indexSize);
      const start = base + table.next(offsetSize);
      const end = start + table.next(lengthSize);
      if (method < 2 && start < source.size) extents.push({ start, end: Math.min(end, source.size) });
    }
    found.set(id, extents);
  }
  return found;
}
