import type { ByteSource } from './source.js';

/** One field of a TIFF directory. */
export interface IfdEntry {
  readonly tag: number;
  readonly type: number;
  readonly count: number;
  /** Offset of the entry itself. */
  readonly position: number;
  /** Offset of its value: inside the entry if it fits, else elsewhere. */
  readonly valueAt: number;
  readonly valueSize: number;
}

/** One TIFF directory. */
export interface Ifd {
  readonly position: number;
  /** Offset of the entries, which are `entrySize` bytes each. */
  readonly entriesAt: number;
  readonly entries: readonly IfdEntry[];
  readonly next: number;
}

/** Byte order and widths of a TIFF structure; classic TIFF and BigTIFF differ in the widths. */
export interface TiffLayout {
  readonly littleEndian: boolean;
  readonly big: boolean;
  readonly entrySize: number;
  readonly firstIfd: number;
  /** The raw format whose files have a magic number of their own; null for TIFF. */
  readonly variant: 'rw2' | 'orf' | null;
}

const CLASSIC = 42;
const BIG = 43;
/** Magic numbers of raw photographs that are otherwise classic TIFF: Panasonic's and Olympus's. */
const VARIANTS: Readonly<Record<number, 'rw2' | 'orf'>> = { 85: 'rw2', 20306: 'orf', 21330: 'orf' };

/** Tags of TIFF and EXIF. */
export const TAG = {
  subfileType: 0xfe,
  width: 0x100,
  height: 0x101,
  compression: 0x103,
  photometric: 0x106,
  make: 0x10f,
  model: 0x110,
  orientation: 0x112,
  rowsPerStrip: 0x116,
  subIfds: 0x14a,
  xmp: 0x2bc,
  iptc: 0x83bb,
  photoshop: 0x8649,
  exifIfd: 0x8769,
  icc: 0x8773,
  gpsIfd: 0x8825,
  makerNote: 0x927c,
  dngVersion: 0xc612,
} as const;

const TYPE_SIZE = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const MAX_ENTRIES = 4096;
const MAX_TEXT = 256;

const u16 = (bytes: Buffer, at: number, little: boolean) =>
  little ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
const u32 = (bytes: Buffer, at: number, little: boolean) =>
  little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
const u64 = (bytes: Buffer, at: number, little: boolean) =>
  Number(little ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));

/** Reads the first bytes of a TIFF structure (or of the body of an EXIF block); null if it is not one. */
export async function readLayout(source: ByteSource): Promise<TiffLayout | null> {
  const head = await source.read(0, 16);
  if (head.length < 8) return null;
  const order = head.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return null;
  const littleEndian = order === 'II';
  const magic = u16(head, 2, littleEndian);
  const variant = VARIANTS[magic] ?? null;
  if (magic === CLASSIC || variant !== null) {
    return { littleEndian, big: false, entrySize: 12, firstIfd: u32(head, 4, littleEndian), variant };
  }
  if (magic === BIG && head.length === 16 && u16(head, 4, littleEndian) === 8) {
    return { littleEndian, big: true, entrySize: 20, firstIfd: u64(head, 8, littleEndian), variant };
  }
  return null;
}

/** Reads a directory; null if it is not inside the source. Entries outside the source are skipped. */
export async function readIfd(source: ByteSource, layout: TiffLayout, position: number): Promise<Ifd | null> {
  const { littleEndian, big, entrySize } = layout;
  const countSize = big ? 8 : 2;
  const wordSize = big ? 8 : 4;
  const word = big ? u64 : u32;
  const counter = await source.read(position, countSize);
  if (position < 8 || counter.length < countSize) return null;
  const count = big ? u64(counter, 0, littleEndian) : u16(counter, 0, littleEndian);
  if (count > MAX_ENTRIES) return null;
  const entriesAt = position + countSize;
  const bytes = await source.read(entriesAt, count * entrySize + wordSize);
  const entries: IfdEntry[] = [];
  for (let at = 0; at + entrySize <= Math.min(bytes.length, count * entrySize); at += entrySize) {
    const type = u16(bytes, at + 2, littleEndian);
    const items = word(bytes, at + 4, littleEndian);
    const valueSize = items * (TYPE_SIZE[type] ?? 0);
    const inline = at + 4 + wordSize;
    const valueAt = valueSize <= wordSize ? entriesAt + inline : word(bytes, inline, littleEndian);
    if (valueAt + valueSize > source.size) continue;
    entries.push({
      tag: u16(bytes, at, littleEndian),
      type,
      count: items,
      position: entriesAt + at,
      valueAt,
      valueSize,
    });
  }
  const complete = bytes.length === count * entrySize + wordSize;
  return { position, entriesAt, entries, next: complete ? word(bytes, count * entrySize, littleEndian) : 0 };
}

/** The numbers of a field, at most `limit`; empty for fields that contain no numbers. */
export async function readNumbers(
  source: ByteSource,
  layout: TiffLayout,
  entry: IfdEntry,
  limit: number,
): Promise<number[]> {
  const size = TYPE_SIZE[entry.type] ?? 0;
  const count = Math.min(entry.count, limit);
  const bytes = await source.read(entry.valueAt, count * size);
  const numbers: number[] = [];
  for (let at = 0; size > 0 && at + size <= bytes.length; at += size) {
    if (entry.type === 3) numbers.push(u16(bytes, at, layout.littleEndian));
    else if (entry.type === 4 || entry.type === 13) numbers.push(u32(bytes, at, layout.littleEndian));
    else if (entry.type === 16 || entry.type === 18) numbers.push(u64(bytes, at, layout.littleEndian));
    else if (entry.type === 1) numbers.push(bytes.readUInt8(at));
  }
  return numbers;
}

/** The first number of a tag in a directory; null if the tag is missing. */
export async function readTag(
  source: ByteSource,
  layout: TiffLayout,
  ifd: Ifd,
  tag: number,
): Promise<number | null> {
  const entry = ifd.entries.find((candidate) => candidate.tag === tag);
  return entry === undefined ? null : ((await readNumbers(source, layout, entry, 1))[0] ?? null);
}

/** The text of a field, without the bytes that fill it up; "" if the tag is missing. */
export async function readText(source: ByteSource, ifd: Ifd, tag: number): Promise<string> {
  const entry = ifd.entries.find((candidate) => candidate.tag === tag);
  if (entry === undefined) return '';
  const bytes = await source.read(entry.valueAt, Math.min(entry.valueSize, MAX_TEXT));
  return (bytes.toString('latin1').split('\0')[0] ?? '').trim();
}

/** The orientation (1-8) in an EXIF block or TIFF file; 1 if it is missing or invalid. */
export async function readOrientation(source: ByteSource): Promise<number> {
  const layout = await readLayout(source);
  const ifd = layout === null ? null : await readIfd(source, layout, layout.firstIfd);
  if (layout === null || ifd === null) return 1;
  const value = await readTag(source, layout, ifd, TAG.orientation);
  return value !== null && value >= 1 && value <= 8 ? value : 1;
}
