import { type Box, boxes, childrenOf, findBox, metaSkip, readBox } from '../boxes.js';
import { type Edit, overwrite, type Range, zero } from '../edits.js';
import type { ByteSource } from '../source.js';
import { withoutFields } from './exif.js';
import { cleanMovie } from './movie.js';
import { namesPlace, type Removal } from './policy.js';

const MAX_TABLE = 1024 * 1024;
const MAX_ITEM = 8 * 1024 * 1024;
/** A TIFF structure with an empty directory, after the offset field that HEIF puts before EXIF. */
const EMPTY_EXIF = Buffer.from('000000004d4d002a00000008000000000000', 'hex');

const EMPTY_XMP = Buffer.from('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>');

interface Item {
  readonly id: number;
  readonly type: string;
}

/**
 * Blanks the EXIF, XMP and other descriptive items of a HEIF or AVIF file in place, so sizes and offsets do not
 * change. Orientation and colour are in the image properties, which are not touched.
 */
export async function cleanHeif(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits = await cleanMovie(source, removal);
  for await (const meta of boxes(source, 0, source.size)) {
    if (meta.type !== 'meta') continue;
    const locations = await itemLocations(source, meta);
    for (const item of await describingItems(source, meta)) {
      edits.push(...(await blankItem(source, item, locations.get(item.id) ?? [], removal)));
    }
  }
  return edits;
}

async function blankItem(
  source: ByteSource,
  item: Item,
  extents: Range[],
  removal: Removal,
): Promise<Edit[]> {
  const [extent] = extents;
  if (extent === undefined || extents.length > 1 || extent.end - extent.start > MAX_ITEM) {
    return extents.map(({ start, end }) => zero(start, end));
  }
  const payload = await source.read(extent.start, extent.end - extent.start);
  if (item.type !== 'Exif') {
    const wanted = Buffer.alloc(payload.length, ' ');
    if (payload.length >= EMPTY_XMP.length) EMPTY_XMP.copy(wanted);
    const fine = payload.equals(wanted) || (removal === 'location' && !namesPlace(payload));
    return fine ? [] : [overwrite(extent.start, wanted)];
  }
  if (removal === 'location') {
    const at = payload.length < 4 ? 0 : 4 + payload.readUInt32BE(0);
    const thinned = await withoutFields(payload.subarray(at), removal);
    return thinned === null ? [] : [overwrite(extent.start + at, thinned)];
  }
  const wanted = Buffer.alloc(payload.length);
  EMPTY_EXIF.copy(wanted);
  return payload.equals(wanted) ? [] : [overwrite(extent.start, wanted)];
}

/** Items that describe the image rather than contain it. */
async function describingItems(source: ByteSource, meta: Box): Promise<Item[]> {
  const iinf = await child(source, meta, 'iinf');
  if (iinf === null) return [];
  const version = (await source.read(iinf.dataAt, 1))[0] ?? 0;
  const items: Item[] = [];
  for await (const infe of childrenOf(source, iinf, version === 0 ? 6 : 8)) {
    const entry = await readBox(source, infe, 64);
    const wide = entry[0] === 3;
    if ((entry[0] ?? 0) < 2 || entry.length < (wide ? 14 : 12)) continue;
    const type = entry.toString('latin1', wide ? 10 : 8, wide ? 14 : 12);
    if (['Exif', 'mime', 'uri '].includes(type)) items.push({ id: entry.readUIntBE(4, wide ? 4 : 2), type });
  }
  return items;
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
    for (let extent = table.next(2); extent > 0 && !table.done; extent--) {
      if (version > 0) table.next(indexSize);
      const start = base + table.next(offsetSize);
      const end = start + table.next(lengthSize);
      if (method < 2 && end <= source.size) extents.push({ start, end });
    }
    found.set(id, extents);
  }
  return found;
}
