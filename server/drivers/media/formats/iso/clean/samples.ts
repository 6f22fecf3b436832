import { MediaUnsupported } from '../../../../../../routers/base/ports/media/media.js';
import type { Range } from '../../../edits.js';
import { type ByteSource, TooManyParts } from '../../../source.js';
import { type Box, findBox } from '../boxes.js';

/** More rows than the tables of an hour of telemetry at 100 samples per second; a file with more is refused. */
const MAX_ROWS = 800_000;
const MAX_RANGES = 200_000;
const READ = 64 * 1024;

/** The sample tables of one file. They read at most `MAX_ROWS` rows in total, for any number of tracks. */
export class SampleTables {
  #rowsLeft = MAX_ROWS;
  #rangesLeft = MAX_RANGES;

  constructor(private readonly source: ByteSource) {}

  /** The positions of a track's samples (its `stbl` box) in the file; adjacent ranges are merged. */
  async ranges(stbl: Box): Promise<Range[]> {
    const { source } = this;
    const stsc = await findBox(source, stbl, 'stsc');
    const stsz = (await findBox(source, stbl, 'stsz')) ?? (await findBox(source, stbl, 'stz2'));
    const stco = await findBox(source, stbl, 'stco');
    const offsets = stco ?? (await findBox(source, stbl, 'co64'));
    if (stsc === null || stsz === null || offsets === null) return [];
    const sizes = await this.#sizes(stsz);
    const groups = this.#groups(stsc);
    let group = (await groups.next()).value;
    let following = (await groups.next()).value;
    const ranges: Range[] = [];
    let chunk = 0;
    for await (const row of this.#rows(offsets, 8, stco === null ? 8 : 4)) {
      chunk++;
      while (following && chunk >= following.first) {
        group = following;
        following = (await groups.next()).value;
      }
      const start = stco === null ? Number(row.readBigUInt64BE(0)) : row.readUInt32BE(0);
      const { bytes, last } = await sizes.sum(group?.samples ?? 0);
      this.#append(ranges, start, start + bytes);
      if (last) break;
    }
    return ranges;
  }

  /** Counts rows of any table of the file. */
  spend(rows: number): void {
    this.#rowsLeft -= rows;
    if (this.#rowsLeft < 0) throw new TooManyParts('the tables of the tracks to remove are too long');
  }

  #append(ranges: Range[], start: number, end: number): void {
    const last = ranges.at(-1);
    const stop = Math.min(end, this.source.size);
    if (last?.end === start) ranges[ranges.length - 1] = { start: last.start, end: stop };
    else if (stop > start) {
      if (this.#rangesLeft-- <= 0) throw new TooManyParts('the samples of a track are too scattered');
      ranges.push({ start, end: stop });
    }
  }

  /** A table of fixed-size rows in a box, read in blocks. */
  async *#rows(box: Box, skip: number, size: number): AsyncGenerator<Buffer> {
    for (let at = box.dataAt + skip; at + size <= box.end; ) {
      const bytes = await this.source.read(at, Math.min(READ - (READ % size), box.end - at));
      const whole = bytes.length - (bytes.length % size);
      if (whole === 0) return;
      for (let offset = 0; offset < whole; offset += size) {
        this.spend(1);
        yield bytes.subarray(offset, offset + size);
      }
      at += whole;
    }
  }

  async *#groups(stsc: Box): AsyncGenerator<{ first: number; samples: number }> {
    for await (const row of this.#rows(stsc, 8, 12)) {
      yield { first: row.readUInt32BE(0), samples: row.readUInt32BE(4) };
    }
  }

  async #sizes(stsz: Box): Promise<SampleSizes> {
    const head = await this.source.read(stsz.dataAt, 12);
    if (head.length < 12) return new SampleSizes(0, 0, null);
    const count = head.readUInt32BE(8);
    if (stsz.type === 'stz2') {
      const width = head.readUInt8(7) / 8;
      if (width !== 1 && width !== 2) throw new MediaUnsupported('the samples of a track cannot be found');
      return new SampleSizes(count, 0, this.#rows(stsz, 12, width));
    }
    const same = head.readUInt32BE(4);
    return new SampleSizes(count, same, same === 0 ? this.#rows(stsz, 12, 4) : null);
  }
}

/** The sizes of a track's samples in order: one size for all, or one row per sample. */
class SampleSizes {
  constructor(
    private left: number,
    private readonly same: number,
    private readonly rows: AsyncGenerator<Buffer> | null,
  ) {}

  /** The total bytes of the next `count` samples; `last` if there are no more after them. */
  async sum(count: number): Promise<{ bytes: number; last: boolean }> {
    const taken = Math.min(count, this.left);
    this.left -= taken;
    if (this.rows === null) return { bytes: taken * this.same, last: this.left === 0 };
    let bytes = 0;
    for (let sample = 0; sample < taken; sample++) {
      const row = await this.rows.next();
      if (row.done) return { bytes, last: true };
      bytes += row.value.readUIntBE(0, row.value.length);
    }
    return { bytes, last: this.left === 0 };
  }
}
