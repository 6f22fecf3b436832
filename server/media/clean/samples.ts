import { type Box, findBox } from '../boxes.js';
import type { Range } from '../edits.js';
import type { ByteSource } from '../source.js';

/** More samples than an hour of telemetry at a hundred a second; what lies beyond stays. */
const MAX_SAMPLES = 400_000;
const MAX_RANGES = 200_000;
const READ = 64 * 1024;

/** A table of fixed-size rows inside a box, read in blocks. */
async function* rows(source: ByteSource, box: Box, skip: number, size: number): AsyncGenerator<Buffer> {
  for (let at = box.dataAt + skip; at + size <= box.end; ) {
    const bytes = await source.read(at, Math.min(READ - (READ % size), box.end - at));
    const whole = bytes.length - (bytes.length % size);
    if (whole === 0) return;
    for (let offset = 0; offset < whole; offset += size) yield bytes.subarray(offset, offset + size);
    at += whole;
  }
}

/** Where the samples of a track (its `stbl` box) lie in the file; neighbours are joined. */
export async function sampleRanges(source: ByteSource, stbl: Box): Promise<Range[]> {
  const [stsc, stsz] = [await findBox(source, stbl, 'stsc'), await findBox(source, stbl, 'stsz')];
  const stco = await findBox(source, stbl, 'stco');
  const offsets = stco ?? (await findBox(source, stbl, 'co64'));
  if (stsc === null || stsz === null || offsets === null) return [];
  const sizes = sampleSizes(source, stsz);
  const groups = chunkGroups(source, stsc);
  let group = (await groups.next()).value;
  let following = (await groups.next()).value;
  const ranges: Range[] = [];
  let chunk = 0;
  for await (const row of rows(source, offsets, 8, stco === null ? 8 : 4)) {
    chunk++;
    while (following && chunk >= following.first) {
      group = following;
      following = (await groups.next()).value;
    }
    const start = stco === null ? Number(row.readBigUInt64BE(0)) : row.readUInt32BE(0);
    let end = start;
    for (let sample = 0; sample < (group?.samples ?? 0); sample++) {
      const size = await sizes.next();
      if (size.done) return append(ranges, start, end, source.size);
      end += size.value;
    }
    append(ranges, start, end, source.size);
    if (ranges.length === MAX_RANGES) break;
  }
  return ranges;
}

function append(ranges: Range[], start: number, end: number, limit: number): Range[] {
  const last = ranges.at(-1);
  const stop = Math.min(end, limit);
  if (last?.end === start) ranges[ranges.length - 1] = { start: last.start, end: stop };
  else if (stop > start) ranges.push({ start, end: stop });
  return ranges;
}

async function* sampleSizes(source: ByteSource, stsz: Box): AsyncGenerator<number> {
  const head = await source.read(stsz.dataAt, 12);
  if (head.length < 12) return;
  const same = head.readUInt32BE(4);
  const count = Math.min(head.readUInt32BE(8), MAX_SAMPLES);
  if (same !== 0) for (let left = count; left > 0; left--) yield same;
  else {
    let left = count;
    for await (const row of rows(source, stsz, 12, 4)) {
      if (left-- === 0) return;
      yield row.readUInt32BE(0);
    }
  }
}

async function* chunkGroups(
  source: ByteSource,
  stsc: Box,
): AsyncGenerator<{ first: number; samples: number }> {
  for await (const row of rows(source, stsc, 8, 12)) {
    yield { first: row.readUInt32BE(0), samples: row.readUInt32BE(4) };
  }
}
