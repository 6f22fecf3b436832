import { type Edit, overwrite, zero } from '../edits.js';
import { type Ifd, type IfdEntry, readIfd, readLayout, readNumbers, TAG, type TiffLayout } from '../ifd.js';
import { type ByteSource, bufferSource } from '../source.js';
import { namesPlace, type Removal, revealsLocation } from './policy.js';

const INTEROP_IFD = 0xa005;
const POINTERS: readonly number[] = [TAG.exifIfd, TAG.gpsIfd, TAG.subIfds, INTEROP_IFD];
/** Texts and packets of which each may name a place; GDAL's is among them. */
const PACKETS: readonly number[] = [TAG.xmp, TAG.iptc, TAG.photoshop, 42112];
const TEXTS: readonly number[] = [0x10e, 0x9286, 0x9c9b, 0x9c9c, 0x9c9e, 0x9c9f];
/**
 * Where the picture is on the map (GeoTIFF and its forerunners), and a compressed copy of the file before it was
 * converted, with the place it has.
 */
const PLACES: readonly number[] = [
  TAG.gpsIfd,
  ...[33550, 33918, 33919, 33920, 33922, 34264, 34735, 34736, 34737, 50844, 0xc68c],
];
const MAX_IFDS = 1000;
const MAX_FIELDS = 100_000;
const MAX_PACKET = 1024 * 1024;

/** Tags that define how a TIFF is decoded and shown. All others describe who, where, when and with what. */
const PICTURE_TAGS = new Set([
  ...[0xfe, 0xff, 0x100, 0x101, 0x102, 0x103, 0x106, 0x107, 0x108, 0x109, 0x10a, 0x111, 0x112, 0x115, 0x116],
  ...[
    0x117, 0x118, 0x119, 0x11a, 0x11b, 0x11c, 0x120, 0x121, 0x122, 0x123, 0x124, 0x125, 0x128, 0x129, 0x12d,
  ],
  ...[
    0x13d, 0x13e, 0x13f, 0x140, 0x141, 0x142, 0x143, 0x144, 0x145, 0x14a, 0x14c, 0x14d, 0x14e, 0x150, 0x152,
  ],
  ...[
    0x153, 0x154, 0x155, 0x156, 0x15a, 0x15b, 0x200, 0x201, 0x202, 0x203, 0x205, 0x206, 0x207, 0x208, 0x209,
  ],
  ...[0x211, 0x212, 0x213, 0x214, TAG.icc],
]);

/** A TIFF structure that contains only the orientation. */
export function minimalExif(orientation: number): Buffer {
  const bytes = Buffer.alloc(26);
  bytes.write('MM\0*', 0, 'latin1');
  bytes.writeUInt32BE(8, 4);
  bytes.writeUInt16BE(1, 8);
  bytes.writeUInt16BE(TAG.orientation, 10);
  bytes.writeUInt16BE(3, 12);
  bytes.writeUInt32BE(1, 14);
  bytes.writeUInt16BE(orientation, 18);
  return bytes;
}

/**
 * Edits that blank fields of a TIFF structure (a file or the body of an EXIF block) in place: with `location` the GPS
 * directory and packets that name a place, with `strip` everything but the picture.
 */
export async function blankFields(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const layout = await readLayout(source);
  return layout === null ? [] : new FieldBlanker(source, layout, removal).run();
}

/** The same for bytes in memory: a changed copy, or null if nothing had to change. */
export async function withoutFields(exif: Buffer, removal: Removal): Promise<Buffer | null> {
  const edits = await blankFields(bufferSource(exif), removal);
  if (edits.length === 0) return null;
  const copy = Buffer.from(exif);
  for (const { start, end, bytes } of edits) {
    if (bytes === 'zeros') copy.fill(0, start, end);
    else bytes.copy(copy, start);
  }
  return copy;
}

class FieldBlanker {
  readonly #edits: Edit[] = [];
  readonly #seen = new Set<number>();
  #fields = 0;

  constructor(
    private readonly source: ByteSource,
    private readonly layout: TiffLayout,
    private readonly removal: Removal,
  ) {}

  async run(): Promise<Edit[]> {
    let next = this.layout.firstIfd;
    while (next !== 0) next = (await this.#thin(next))?.next ?? 0;
    return this.#edits;
  }

  async #enter(position: number): Promise<Ifd | null> {
    if (this.#seen.has(position) || this.#seen.size >= MAX_IFDS) return null;
    this.#seen.add(position);
    const ifd = await readIfd(this.source, this.layout, position);
    this.#fields += ifd?.entries.length ?? 0;
    return this.#fields > MAX_FIELDS ? null : ifd;
  }

  /** Removes the unwanted fields from a directory and those it points to. */
  async #thin(position: number): Promise<Ifd | null> {
    const ifd = await this.#enter(position);
    if (ifd === null) return null;
    const kept: IfdEntry[] = [];
    for (const entry of ifd.entries) {
      if (await this.#unwanted(entry)) await this.#erase(entry);
      else kept.push(entry);
    }
    if (kept.length < ifd.entries.length) await this.#rewrite(ifd, kept);
    for (const entry of kept.filter(({ tag }) => POINTERS.includes(tag))) {
      for (const target of await readNumbers(this.source, this.layout, entry, MAX_IFDS))
        await this.#thin(target);
    }
    return ifd;
  }

  async #unwanted(entry: IfdEntry): Promise<boolean> {
    if (this.removal === 'strip') return !PICTURE_TAGS.has(entry.tag);
    if (PACKETS.includes(entry.tag)) {
      return namesPlace(await this.#value(entry));
    }
    return TEXTS.includes(entry.tag) ? revealsLocation(await this.#value(entry)) : PLACES.includes(entry.tag);
  }

  #value(entry: IfdEntry): Promise<Buffer> {
    return this.source.read(entry.valueAt, Math.min(entry.valueSize, MAX_PACKET));
  }

  /** Blanks the value of a field, or the whole directory if it points to one. */
  async #erase(entry: IfdEntry): Promise<void> {
    if (POINTERS.includes(entry.tag)) {
      for (const target of await readNumbers(this.source, this.layout, entry, MAX_IFDS)) {
        const ifd = await this.#enter(target);
        if (ifd === null) continue;
        for (const inner of ifd.entries) await this.#erase(inner);
        const size = ifd.entries.length * this.layout.entrySize;
        this.#edits.push(zero(ifd.position, Math.min(ifd.entriesAt + size, this.source.size)));
      }
    }
    const inline = entry.valueAt > entry.position && entry.valueAt < entry.position + this.layout.entrySize;
    if (!inline && entry.valueSize > 0)
      this.#edits.push(zero(entry.valueAt, entry.valueAt + entry.valueSize));
  }

  /** Rewrites the directory with fewer entries; the freed bytes become zeros. */
  async #rewrite(ifd: Ifd, kept: readonly IfdEntry[]): Promise<void> {
    const { big, littleEndian, entrySize } = this.layout;
    const counterSize = ifd.entriesAt - ifd.position;
    const old = await this.source.read(ifd.position, counterSize);
    const count = littleEndian ? old.readUInt16LE(0) : old.readUInt16BE(old.length - 2);
    const counter = Buffer.alloc(counterSize);
    if (littleEndian) counter.writeUInt16LE(kept.length, 0);
    else counter.writeUInt16BE(kept.length, counterSize - 2);
    const entries = await Promise.all(kept.map((entry) => this.source.read(entry.position, entrySize)));
    const nextAt = ifd.entriesAt + count * entrySize;
    const next = await this.source.read(nextAt, big ? 8 : 4);
    const bytes = Buffer.alloc(Math.min(nextAt + next.length, this.source.size) - ifd.position);
    Buffer.concat([counter, ...entries, next]).copy(bytes);
    this.#edits.push(overwrite(ifd.position, bytes));
  }
}
