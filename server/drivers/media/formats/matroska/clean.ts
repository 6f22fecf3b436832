import { type Edit, overwrite, remove, zero } from '../../edits.js';
import { cleanInnerPicture } from '../../metadata/inner-picture.js';
import { type Removal, revealsLocation } from '../../metadata/policy.js';
import { type ByteSource, isZero } from '../../source.js';
import { type Element, elements, NOT_AN_ELEMENT } from './elements.js';
import {
  ATTACHED_FILE,
  CHECKSUM,
  DESCRIPTIONS,
  EBML,
  FILE,
  NEEDED,
  PROGRAMS,
  SEGMENT,
  SEGMENT_PARTS,
  TAGS,
  VOID,
} from './rules.js';

const MAX_PACKET = 1024 * 1024;
const MAX_PICTURE = 32 * 1024 * 1024;
const READ = 128 * 1024;
/** Chapters may contain chapters. */
const MAX_DEPTH = 16;
const CLUSTER_ID = Buffer.from('1f43b675', 'hex');
const COVER = /^(small_)?cover(_land)?\.(jpe?g|png)$/i;
const FONT = /font|truetype|opentype|sfnt/i;

/**
 * Cleans a Matroska or WebM file in place: only elements that are listed as needed remain, all others become empty space.
 * A segment that is cut off is cleaned up to the end of the file, and what follows the last segment is removed.
 */
export async function cleanMatroska(source: ByteSource, removal: Removal): Promise<Edit[]> {
  return new MatroskaCleaner(source, removal).run();
}

class MatroskaCleaner {
  readonly #edits: Edit[] = [];

  constructor(
    private readonly source: ByteSource,
    private readonly removal: Removal,
  ) {}

  async run(): Promise<Edit[]> {
    const file: Element = { id: SEGMENT, start: 0, dataAt: 0, end: this.source.size };
    for await (const element of elements(this.source, 0, this.source.size)) {
      if (element.id === SEGMENT) await this.#container(element);
      else if (element.id === EBML) await this.#container(element);
      // The size of a segment that was never finished may be 0: its parts follow it.
      else if (SEGMENT_PARTS.has(element.id)) {
        await this.#container({ ...file, dataAt: element.start });
        break;
      } else {
        this.#edits.push(remove(element.start, this.source.size));
        break;
      }
    }
    return this.#edits;
  }

  /** Erases what is not needed in a container, and cleans the rest. A checksum would be wrong afterwards. */
  async #container(container: Element, depth = 0): Promise<void> {
    const before = this.#edits.length;
    const needed = NEEDED.get(container.id);
    const siblings = container.id === SEGMENT ? SEGMENT_PARTS : undefined;
    let checksum: Element | null = null;
    let at = container.dataAt;
    while (at < container.end) {
      let resumed = container.end;
      for await (const element of elements(this.source, at, container.end, siblings)) {
        if (element.id === NOT_AN_ELEMENT) resumed = await this.#gap(container, element);
        else if (element.id === CHECKSUM) checksum = element;
        else if (element.id === TAGS) await this.#tags(element);
        else if (element.id === ATTACHED_FILE) await this.#attachment(element);
        else if (PROGRAMS.has(element.id)) await this.#emptied(element);
        else if (DESCRIPTIONS.has(element.id)) await this.#description(element);
        else if (!needed?.has(element.id) || depth > MAX_DEPTH) await this.#erase(element);
        else if (NEEDED.has(element.id)) await this.#container(element, depth + 1);
      }
      at = resumed;
    }
    if (checksum !== null && this.#edits.length > before && container.id !== SEGMENT)
      await this.#erase(checksum);
  }

  /** Erases what is no element, up to the next cluster of a damaged segment, where players resume. Returns its offset. */
  async #gap(container: Element, gap: Element): Promise<number> {
    const end = container.id === SEGMENT ? await this.#nextCluster(gap) : gap.end;
    if (end === this.source.size) this.#edits.push(remove(gap.start, end));
    else await this.#erase({ ...gap, end });
    return end;
  }

  async #nextCluster(gap: Element): Promise<number> {
    // What begins here is no element, even if it looks like a cluster.
    for (let at = gap.start + 1; at < gap.end; at += READ - CLUSTER_ID.length) {
      const found = (await this.source.read(at, Math.min(READ, gap.end - at))).indexOf(CLUSTER_ID);
      if (found !== -1) return at + found;
    }
    return gap.end;
  }

  async #tags(tags: Element): Promise<void> {
    if (this.removal === 'location' && !(await this.#tells(tags))) return;
    await this.#erase(tags);
  }

  async #tells(element: Element): Promise<boolean> {
    const size = element.end - element.dataAt;
    return size > MAX_PACKET || revealsLocation(await this.source.read(element.dataAt, size));
  }

  async #description(element: Element): Promise<void> {
    if (this.removal === 'strip' || (await this.#tells(element))) await this.#erase(element);
  }

  async #emptied(element: Element): Promise<void> {
    if (this.removal === 'strip') await this.#blank(element.dataAt, element.end);
  }

  /** Fonts and covers stay; an attached photograph or protocol of a journey does not. */
  async #attachment(file: Element): Promise<void> {
    const parts = new Map<number, Element>();
    for await (const part of elements(this.source, file.dataAt, file.end)) parts.set(part.id, part);
    const [name, type] = [await this.#text(parts.get(FILE.name)), await this.#text(parts.get(FILE.type))];
    const data = parts.get(FILE.data);
    const isPicture = /^image\/(jpe?g|png)/i.test(type) && (this.removal === 'location' || COVER.test(name));
    const isSmall = data !== undefined && data.end - data.dataAt <= MAX_PICTURE;
    if (data === undefined || !isSmall || (!isPicture && !FONT.test(type))) return this.#erase(file);
    for (const part of parts.values()) {
      const isKnown =
        part.id === FILE.type || part.id === FILE.data || part.id === FILE.id || part.id === FILE.name;
      if (!isKnown || (part.id === FILE.name && (await this.#tells(part)))) await this.#erase(part);
    }
    if (isPicture)
      this.#edits.push(...(await cleanInnerPicture(this.source, data.dataAt, data.end, this.removal)));
  }

  async #text(part: Element | undefined): Promise<string> {
    return part === undefined
      ? ''
      : (await this.source.read(part.dataAt, Math.min(256, part.end - part.dataAt))).toString('latin1');
  }

  /** Turns an element into empty space of the same size. */
  async #erase({ id, start, dataAt, end }: Element): Promise<void> {
    if (id === VOID) return this.#blank(dataAt, end);
    if (end - start < 2) return this.#blank(start, end);
    const header = voidHeader(end - start);
    this.#edits.push(overwrite(start, header));
    if (start + header.length < end) this.#edits.push(zero(start + header.length, end));
  }

  async #blank(start: number, end: number): Promise<void> {
    if (!(await isZero(this.source, start, end))) this.#edits.push(zero(start, end));
  }
}

/** The header of an empty element of `total` bytes, at least two. */
function voidHeader(total: number): Buffer {
  const sizeSize = total < 128 ? 1 : 8;
  const header = Buffer.alloc(1 + sizeSize);
  header.writeUInt8(VOID, 0);
  if (sizeSize === 1) header.writeUInt8(0x80 | (total - 2), 1);
  else {
    header.writeBigUInt64BE(BigInt(total - 9), 1);
    header.writeUInt8(1, 1);
  }
  return header;
}
