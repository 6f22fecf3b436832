import { cleanInnerPicture } from '../../../metadata/inner-picture.js';
import { isText, revealsLocation } from '../../../metadata/policy.js';
import { type Box, childrenOf, everyBox, metaSkip, NOT_A_BOX, readBox } from '../boxes.js';
import type { Blanker } from './blanker.js';
import { FREE_SPACE } from './rules.js';

const MAX_PACKET = 1024 * 1024;
const MAX_COVER = 32 * 1024 * 1024;
/** A longer value that is no text is not a number either. */
const MAX_NUMBER = 64;
const COVER = 'covr';

/** Parts of user data that a player shows or obeys: chapters, the role of a track, its loudness. */
const SHOWN_DATA = ['chpl', 'kind', 'ludt'];
/** Tags of a music file to keep; those of a voice memo (device, date, place) are not among them. */
const MUSIC_ITEMS =
  '\xa9nam \xa9ART \xa9alb \xa9gen \xa9wrt \xa9grp \xa9lyr aART trkn disk gnre covr cpil tmpo pgap rtng stik soar sonm soal free'.split(
    ' ',
  );

/** Erases user data and tags of a movie: with `strip` all but songs' in a music file, with `location` those of a place. */
export class TagCleaner {
  constructor(
    private readonly blanker: Blanker,
    private readonly music: boolean,
  ) {}

  /** A `udta` box. */
  async userData(udta: Box): Promise<void> {
    for await (const box of everyBox(this.blanker.source, udta.dataAt, udta.end)) {
      if (box.type === 'meta') await this.tags(box);
      else if (!(await this.#isHarmless(box))) await this.blanker.erase(box);
    }
  }

  async #isHarmless(box: Box): Promise<boolean> {
    if (SHOWN_DATA.includes(box.type)) return true;
    if (this.blanker.removal === 'strip' || box.type === NOT_A_BOX || FREE_SPACE.has(box.type)) return false;
    return !/xyz|loci|gps|GPMF/i.test(box.type) && (await this.#isPlainText(box));
  }

  /** With `location`, what is not text is not understood. Text of QuickTime and 3GPP begins with a length and a language. */
  async #isPlainText(box: Box): Promise<boolean> {
    if (box.end - box.dataAt > MAX_PACKET) return false;
    const bytes = await readBox(this.blanker.source, box, MAX_PACKET);
    return !revealsLocation(bytes) && (box.type.startsWith('\xa9') || isText(bytes.subarray(6)));
  }

  /** A `meta` box: its items are identified by their type or by their index in a list of keys. */
  async tags(meta: Box): Promise<void> {
    const { source, removal } = this.blanker;
    if (removal === 'strip' && !this.music) return this.blanker.erase(meta);
    let keys: string[] = [];
    const skip = await metaSkip(source, meta);
    for await (const box of everyBox(source, Math.min(meta.dataAt + skip, meta.end), meta.end)) {
      if (box.type === 'keys') keys = keyNames(await readBox(source, box, MAX_PACKET));
      if (box.type === 'ilst') await this.#items(box, keys);
      else if (
        box.type !== 'hdlr' &&
        box.type !== 'keys' &&
        (removal === 'strip' || !(await this.#isPlainText(box)))
      )
        await this.blanker.erase(box);
    }
  }

  async #items(list: Box, keys: readonly string[]): Promise<void> {
    for await (const item of everyBox(this.blanker.source, list.dataAt, list.end)) {
      if (await this.#isUnwanted(item, keys)) await this.blanker.erase(item);
      else if (item.type === COVER) await this.#covers(item);
    }
  }

  async #isUnwanted(item: Box, keys: readonly string[]): Promise<boolean> {
    if (item.type === NOT_A_BOX || FREE_SPACE.has(item.type)) return true;
    const key = keys[Buffer.from(item.type, 'latin1').readUInt32BE(0) - 1];
    if (this.blanker.removal === 'strip') return key !== undefined || !MUSIC_ITEMS.includes(item.type);
    if (item.type === COVER) return false;
    if (/xyz|loci/.test(item.type) || revealsLocation(Buffer.from(key ?? ''))) return true;
    if (item.end - item.dataAt > MAX_PACKET) return true;
    const bytes = await readBox(this.blanker.source, item, MAX_PACKET);
    return revealsLocation(bytes) || (bytes.length > MAX_NUMBER && !isText(bytes.subarray(16)));
  }

  /** Cover images may be photographs with metadata of their own. */
  async #covers(item: Box): Promise<void> {
    for await (const data of childrenOf(this.blanker.source, item)) {
      const start = data.dataAt + 8;
      if (data.end - data.dataAt > MAX_COVER) await this.blanker.erase(data);
      else if (data.type === 'data' && start < data.end)
        this.blanker.edits.push(
          ...(await cleanInnerPicture(this.blanker.source, start, data.end, this.blanker.removal)),
        );
    }
  }
}

function keyNames(keys: Buffer): string[] {
  const names: string[] = [];
  for (let at = 8; at + 8 <= keys.length; ) {
    const size = keys.readUInt32BE(at);
    if (size < 8) break;
    names.push(keys.toString('latin1', at + 8, at + size));
    at += size;
  }
  return names;
}
