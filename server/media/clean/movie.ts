import { type Box, boxes, childrenOf, findBox, metaSkip, readBox } from '../boxes.js';
import { type Edit, overwrite, zero } from '../edits.js';
import type { ByteSource } from '../source.js';
import { namesPlace, type Removal } from './policy.js';
import { SampleTables } from './samples.js';

const MAX_PACKET = 1024 * 1024;
const SPHERICAL_VIDEO = 'ffcc8263f8554a938814587a02521fdd';

/** Boxes that are needed for playback. */
const MOVIE_PARTS = 'mvhd trak mvex pssh iods cmov rmra ctab clip prfl free skip wide'.split(' ');
/** Sample formats of tracks that record where and how the camera was held. */
const TELEMETRY = 'mebx gpmd camm rtmd mett urim CTMD djmd dbgi'.split(' ');
/** Tags of a music file to keep; those of a voice memo (device, date, place) are not among them. */
const MUSIC_ITEMS =
  '\xa9nam \xa9ART \xa9alb \xa9gen \xa9wrt \xa9grp \xa9lyr aART trkn disk gnre covr cpil tmpo pgap rtng stik soar sonm soal free'.split(
    ' ',
  );

/**
 * Blanks metadata of an MP4, QuickTime or HEIF file in place: boxes become `free` boxes of zeros, so that offsets do
 * not change. `strip` keeps what is needed for playback (and the music tags of an audio file), `location` removes
 * only places and telemetry.
 */
export async function cleanMovie(source: ByteSource, removal: Removal, music = false): Promise<Edit[]> {
  const cleaner = new MovieCleaner(source, removal, music);
  return cleaner.run();
}

class MovieCleaner {
  readonly #edits: Edit[] = [];
  readonly #samples: SampleTables;

  constructor(
    private readonly source: ByteSource,
    private readonly removal: Removal,
    private readonly music: boolean,
  ) {
    this.#samples = new SampleTables(source);
  }

  async run(): Promise<Edit[]> {
    const still = /^(mif|msf|hei|hev|avi)/.test((await this.source.read(8, 4)).toString('latin1'));
    for await (const box of boxes(this.source, 0, this.source.size)) {
      if (box.type === 'moov') await this.#movie(box);
      else if (box.type === 'free' || box.type === 'skip') await this.#emptied(box);
      else if (box.type === 'uuid' || box.type === 'udta' || (box.type === 'meta' && !still))
        await this.#metadata(box);
    }
    return this.#edits;
  }

  async #movie(moov: Box): Promise<void> {
    for await (const box of childrenOf(this.source, moov)) {
      if (box.type === 'mvhd') await this.#times(box);
      else if (box.type === 'trak') await this.#track(box);
      else if (box.type === 'free' || box.type === 'skip') await this.#emptied(box);
      else if (!MOVIE_PARTS.includes(box.type)) await this.#metadata(box);
    }
  }

  async #track(trak: Box): Promise<void> {
    const stbl = await findBox(this.source, trak, 'mdia', 'minf', 'stbl');
    const stsd = stbl === null ? null : await findBox(this.source, stbl, 'stsd');
    const format = stsd === null ? Buffer.alloc(0) : await readBox(this.source, stsd, MAX_PACKET);
    const handler = await this.#handler(trak);
    if (stbl !== null && this.#isTelemetry(handler, format)) {
      for (const range of await this.#samples.ranges(stbl)) this.#edits.push(zero(range.start, range.end));
      return this.#erase(trak);
    }
    for await (const box of childrenOf(this.source, trak)) {
      if (box.type === 'tkhd') await this.#times(box);
      else if (box.type === 'meta' || box.type === 'udta') await this.#metadata(box);
      else if (box.type === 'uuid' && !(await this.#isSpherical(box))) await this.#metadata(box);
      else if (box.type === 'mdia') await this.#media(box, stsd, handler);
    }
  }

  async #handler(trak: Box): Promise<string> {
    const hdlr = await findBox(this.source, trak, 'mdia', 'hdlr');
    return hdlr === null ? '' : (await readBox(this.source, hdlr, 12)).toString('latin1', 8, 12);
  }

  #isTelemetry(handler: string, stsd: Buffer): boolean {
    const format = stsd.toString('latin1', 12, 16);
    if (this.removal === 'strip') return handler === 'meta' || TELEMETRY.includes(format);
    return ['gpmd', 'camm', 'rtmd', 'djmd'].includes(format) || (handler === 'meta' && namesPlace(stsd));
  }

  async #isSpherical(box: Box): Promise<boolean> {
    return (await readBox(this.source, box, 16)).toString('hex') === SPHERICAL_VIDEO;
  }

  /** Blanks times, and the names that the camera's encoder left in the handler and the sample format. */
  async #media(mdia: Box, stsd: Box | null, handler: string): Promise<void> {
    if (this.removal === 'location') return;
    for await (const box of childrenOf(this.source, mdia)) {
      if (box.type === 'mdhd') await this.#times(box);
      if (box.type === 'hdlr') await this.#blank(box.dataAt + 24, box.end);
    }
    if (stsd !== null && handler === 'vide') {
      const name = stsd.dataAt + 8 + 50;
      if (name + 32 <= stsd.end) await this.#blank(name, name + 32);
    }
  }

  /** Blanks creation and modification times, which follow version and flags. */
  async #times(box: Box): Promise<void> {
    if (this.removal === 'location') return;
    const version = (await readBox(this.source, box, 1))[0];
    await this.#blank(box.dataAt + 4, Math.min(box.dataAt + (version === 1 ? 20 : 12), box.end));
  }

  /** A metadata box: removed with `strip`, searched with `location`. */
  async #metadata(box: Box): Promise<void> {
    if (box.type === 'udta') return this.#userData(box);
    if (box.type === 'meta') return this.#tags(box);
    const packet = await readBox(this.source, box, MAX_PACKET);
    if (this.removal === 'strip' || /gps/i.test(box.type) || namesPlace(packet)) this.#erase(box);
  }

  async #userData(udta: Box): Promise<void> {
    if (this.removal === 'strip' && !this.music) return this.#erase(udta);
    for await (const box of childrenOf(this.source, udta)) {
      if (box.type === 'meta') await this.#tags(box);
      else if (box.type === 'free') await this.#emptied(box);
      else if (this.removal === 'strip') this.#erase(box);
      else if (/xyz|loci|gps|GPMF/i.test(box.type)) this.#erase(box);
      else if (namesPlace(await readBox(this.source, box, MAX_PACKET))) this.#erase(box);
    }
  }

  /** A `meta` box: its items are identified by their type or by their index in a list of keys. */
  async #tags(meta: Box): Promise<void> {
    if (this.removal === 'strip' && !this.music) return this.#erase(meta);
    const skip = await metaSkip(this.source, meta);
    let keys: string[] = [];
    for await (const box of childrenOf(this.source, meta, skip)) {
      if (box.type === 'keys') keys = keyNames(await readBox(this.source, box, MAX_PACKET));
      if (box.type !== 'ilst') continue;
      for await (const item of childrenOf(this.source, box)) {
        if (item.type !== 'free' && (await this.#unwantedItem(item, keys))) this.#erase(item);
      }
    }
  }

  async #unwantedItem(item: Box, keys: readonly string[]): Promise<boolean> {
    const index = Buffer.from(item.type, 'latin1').readUInt32BE(0);
    const key = keys[index - 1];
    if (this.removal === 'strip') return key !== undefined || !MUSIC_ITEMS.includes(item.type);
    if (/xyz|loci/.test(item.type) || namesPlace(Buffer.from(key ?? ''))) return true;
    return item.type === '----' && namesPlace(await readBox(this.source, item, MAX_PACKET));
  }

  /** Free space may contain hidden camera data. */
  async #emptied(box: Box): Promise<void> {
    const start = await readBox(this.source, box, 4096);
    if (start.some((byte) => byte !== 0)) this.#edits.push(zero(box.dataAt, box.end));
  }

  async #blank(start: number, end: number): Promise<void> {
    if (end <= start) return;
    const bytes = await this.source.read(start, end - start);
    if (bytes.some((byte) => byte !== 0)) this.#edits.push(zero(start, end));
  }

  /** Turns a box into free space of the same size. */
  #erase(box: Box): void {
    this.#edits.push(overwrite(box.start + 4, Buffer.from('free', 'latin1')), zero(box.dataAt, box.end));
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
