import { MediaUnsupported } from '../../../../../../routers/base/ports/media/media.js';
import { type Edit, remove, zero } from '../../../edits.js';
import { isText, type Removal, revealsLocation } from '../../../metadata/policy.js';
import { type ByteSource, isZero } from '../../../source.js';
import { type Box, childrenOf, everyBox, findBox, readBox } from '../boxes.js';
import { Blanker } from './blanker.js';
import { cleanDescriptions } from './descriptions.js';
import { eraseSamples } from './fragments.js';
import { FREE_SPACE, NEEDED, NEEDED_EXTENSIONS, SHOWN, SPHERICAL_VIDEO, XMP } from './rules.js';
import { SampleTables } from './samples.js';
import { cleanSpherical } from './spherical.js';
import { TagCleaner } from './tags.js';

const MAX_DESCRIPTION = 1024 * 1024;
const MAX_PACKET = 1024 * 1024;
/** Boxes without which there is nothing to see or hear. */
const CONTENT = ['moov', 'moof', 'mdat', 'imda', 'meta'];

/** What differs between kinds of ISO files. */
interface IsoOptions {
  /** Song tags are kept. */
  readonly music?: boolean;
  /** The end of the file is cut behind the last box that is needed; otherwise it is zeroed, so that the size stays. */
  readonly cut?: boolean;
  /** Cleans a `meta` box at the top level, which contains the image of a HEIF file. */
  readonly items?: (blanker: Blanker, meta: Box) => Promise<void>;
  /** Cleans an extended box (`uuid`) and tells that it stays; null if it is unknown. */
  readonly extension?: (blanker: Blanker, box: Box, id: string) => Promise<'stays' | null>;
}

/**
 * Cleans an ISO media file in place: only boxes that are listed as needed remain, all others become free space, so that
 * offsets do not change. `strip` also erases times, names and tags, `location` only tags and tracks that name a place.
 * Throws `MediaUnsupported` if the index is compressed, or if nothing remains.
 */
export async function cleanIso(
  source: ByteSource,
  removal: Removal,
  options: IsoOptions = {},
): Promise<Edit[]> {
  return new IsoCleaner(source, removal, options).run();
}

class IsoCleaner {
  readonly #blanker: Blanker;
  readonly #samples: SampleTables;
  readonly #tags: TagCleaner;
  readonly #erased = new Map<number, { sampleSize: number }>();

  constructor(
    private readonly source: ByteSource,
    private readonly removal: Removal,
    private readonly options: IsoOptions,
  ) {
    this.#blanker = new Blanker(source, removal);
    this.#samples = new SampleTables(source);
    this.#tags = new TagCleaner(this.#blanker, options.music ?? false);
  }

  async run(): Promise<Edit[]> {
    const { cut = true } = this.options;
    let end = 0;
    let isEmpty = true;
    let unneeded: Box[] = [];
    for await (const box of everyBox(this.source, 0, this.source.size)) {
      if (!(await this.#stays(box))) {
        unneeded.push(box);
        continue;
      }
      for (const hole of unneeded) await this.#blanker.erase(hole);
      unneeded = [];
      end = box.end;
      isEmpty &&= !CONTENT.includes(box.type);
      await this.#clean(box);
    }
    if (isEmpty && unneeded.length > 0) throw new MediaUnsupported('the file has no content that is known');
    if (!cut) for (const hole of unneeded) await this.#blanker.erase(hole);
    else if (!(await this.#areEmpty(unneeded))) this.#blanker.edits.push(remove(end, this.source.size));
    return this.#blanker.edits;
  }

  /** Whether these boxes are free space without content, which may stay. */
  async #areEmpty(boxes: readonly Box[]): Promise<boolean> {
    for (const box of boxes) {
      if (!FREE_SPACE.has(box.type) || !(await isZero(this.source, box.dataAt, box.end))) return false;
    }
    return true;
  }

  /** Whether a box at the top level is needed. An extended one is cleaned here. */
  async #stays(box: Box): Promise<boolean> {
    if (box.type === 'uuid') return this.#extension(box);
    if (box.type === 'meta') return this.options.items !== undefined || this.removal === 'location';
    return NEEDED.file?.has(box.type) ?? false;
  }

  async #clean(box: Box): Promise<void> {
    if (box.type === 'meta' && this.options.items !== undefined)
      return this.options.items(this.#blanker, box);
    if (box.type === 'meta') return this.#tags.tags(box);
    if (box.type === 'moof' && this.#erased.size > 0)
      await eraseSamples(this.#blanker, box, this.#erased, this.#samples);
    if (NEEDED[box.type] !== undefined) await this.#container(box);
  }

  /** Erases what is not needed in a container, and cleans the rest. */
  async #container(container: Box, handler = ''): Promise<void> {
    for await (const box of everyBox(this.source, container.dataAt, container.end)) {
      if (box.type === 'cmov') throw new MediaUnsupported('the index of the movie is compressed');
      if (!NEEDED[container.type]?.has(box.type)) await this.#blanker.erase(box);
      else if (box.type === 'udta') await this.#tags.userData(box);
      else if (box.type === 'meta') await this.#tags.tags(box);
      else if (box.type === 'trak') await this.#track(box, container);
      else if (box.type === 'uuid') (await this.#extension(box)) || (await this.#blanker.erase(box));
      else if (/^(mv|tk|md)hd$/.test(box.type)) await this.#times(box);
      else if (box.type === 'hdlr') await this.#handlerName(box);
      else if (box.type === 'dref') await this.#references(box);
      else if (box.type === 'stsd') await cleanDescriptions(this.#blanker, box, handler);
      else if (container.type !== 'tref' && NEEDED[box.type] !== undefined)
        await this.#container(box, handler);
    }
  }

  /** Cleans an extended box; false if it is unknown. */
  async #extension(box: Box): Promise<boolean> {
    const id = (await readBox(this.source, box, 16)).toString('hex');
    if ((await this.options.extension?.(this.#blanker, box, id)) === 'stays') return true;
    if (id === SPHERICAL_VIDEO) return cleanSpherical(this.#blanker, box);
    if (id === XMP && this.removal === 'location') return this.#isHarmlessText(box);
    return NEEDED_EXTENSIONS.has(id);
  }

  async #isHarmlessText(box: Box): Promise<boolean> {
    if (box.end - box.dataAt > MAX_PACKET) return false;
    const packet = (await readBox(this.source, box, MAX_PACKET)).subarray(16);
    return isText(packet) && !revealsLocation(packet);
  }

  async #track(trak: Box, moov: Box): Promise<void> {
    const hdlr = await findBox(this.source, trak, 'mdia', 'hdlr');
    const handler = hdlr === null ? '' : (await readBox(this.source, hdlr, 12)).toString('latin1', 8, 12);
    const stbl = await findBox(this.source, trak, 'mdia', 'minf', 'stbl');
    const stsd = stbl === null ? null : await findBox(this.source, stbl, 'stsd');
    const format = stsd === null ? Buffer.alloc(0) : await readBox(this.source, stsd, MAX_DESCRIPTION);
    if (this.#isShown(handler, format)) return this.#container(trak, handler);
    if (stbl !== null)
      for (const { start, end } of await this.#samples.ranges(stbl))
        this.#blanker.edits.push(zero(start, end));
    await this.#remember(trak, moov);
    await this.#blanker.erase(trak);
  }

  /** With `location`, a track of timed metadata stays if it says what it contains, and that is no place. */
  #isShown(handler: string, stsd: Buffer): boolean {
    if (SHOWN.has(handler)) return true;
    const format = stsd.toString('latin1', 12, 16);
    return this.removal === 'location' && ['mebx', 'CTMD'].includes(format) && !revealsLocation(stsd);
  }

  /** Notes an erased track, because its samples may also be in fragments. */
  async #remember(trak: Box, moov: Box): Promise<void> {
    const box = await findBox(this.source, trak, 'tkhd');
    const tkhd = box === null ? Buffer.alloc(0) : await readBox(this.source, box, 24);
    if (tkhd.length < 24) return;
    const id = tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12);
    let sampleSize = 0;
    const mvex = await findBox(this.source, moov, 'mvex');
    if (mvex !== null) {
      for await (const trex of childrenOf(this.source, mvex)) {
        const fields = await readBox(this.source, trex, 24);
        if (trex.type === 'trex' && fields.length === 24 && fields.readUInt32BE(4) === id)
          sampleSize = fields.readUInt32BE(16);
      }
    }
    this.#erased.set(id, { sampleSize });
  }

  /** Erases creation and modification times, which follow version and flags. */
  async #times(box: Box): Promise<void> {
    if (this.removal === 'location') return;
    const version = (await readBox(this.source, box, 1))[0];
    await this.#blanker.blank(box.dataAt + 4, Math.min(box.dataAt + (version === 1 ? 20 : 12), box.end));
  }

  /** Erases the maker and the name, which follow the type of the handler. */
  async #handlerName(hdlr: Box): Promise<void> {
    if (this.removal === 'strip') await this.#blanker.blank(Math.min(hdlr.dataAt + 12, hdlr.end), hdlr.end);
  }

  /** Erases the paths of data references: media that is elsewhere cannot be played anyway. */
  async #references(dref: Box): Promise<void> {
    if (this.removal === 'location') return;
    for await (const entry of everyBox(this.source, Math.min(dref.dataAt + 8, dref.end), dref.end)) {
      await this.#blanker.blank(Math.min(entry.dataAt + 4, entry.end), entry.end);
    }
  }
}
