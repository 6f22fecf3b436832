import { type Box, childrenOf, findBox, readBox } from '../boxes.js';
import type { Blanker } from './blanker.js';
import type { SampleTables } from './samples.js';

const MAX_TABLE = 4 * 1024 * 1024;
const MOVIE_FRAGMENT_BASE = 0x20000;

/** The tracks of a fragmented movie that are erased, by their number, with the default size of their samples. */
type ErasedTracks = ReadonlyMap<number, { readonly sampleSize: number }>;

/**
 * Erases the samples of erased tracks in one fragment (`moof`), and what describes them. Positions in a fragment may be
 * relative to the data of the track before, so all tracks are read in order.
 */
export async function eraseSamples(
  blanker: Blanker,
  moof: Box,
  erased: ErasedTracks,
  tables: SampleTables,
): Promise<void> {
  let dataEnd = moof.start;
  for await (const traf of childrenOf(blanker.source, moof)) {
    if (traf.type !== 'traf') continue;
    const header = await readHeader(blanker, traf, erased);
    let at = header.base ?? dataEnd;
    for await (const run of childrenOf(blanker.source, traf)) {
      if (run.type !== 'trun') continue;
      const { offset, size } = readRun(
        await readBox(blanker.source, run, MAX_TABLE),
        header.sampleSize,
        tables,
      );
      if (offset !== null) at = (header.base ?? dataEnd) + offset;
      if (header.isErased) await blanker.blank(at, at + size);
      at += size;
    }
    dataEnd = at;
    if (header.isErased) await blanker.erase(traf);
  }

  async function readHeader({ source }: Blanker, traf: Box, tracks: ErasedTracks) {
    const box = await findBox(source, traf, 'tfhd');
    const tfhd = box === null ? Buffer.alloc(0) : await readBox(source, box, 40);
    if (tfhd.length < 8) return { base: null, sampleSize: 0, isErased: false };
    const flags = tfhd.readUInt32BE(0) & 0xffffff;
    const track = tracks.get(tfhd.readUInt32BE(4));
    const own = (flags & 1) === 1 ? Number(tfhd.readBigUInt64BE(8)) : null;
    const sizeAt = 8 + (own === null ? 0 : 8) + ((flags & 2) >> 1) * 4 + ((flags & 8) >> 3) * 4;
    const base = own ?? ((flags & MOVIE_FRAGMENT_BASE) === 0 ? null : moof.start);
    const sampleSize = (flags & 0x10) === 0 ? (track?.sampleSize ?? 0) : tfhd.readUInt32BE(sizeAt);
    return { base, sampleSize, isErased: track !== undefined };
  }
}

/** The position of a run of samples, relative to the base of its track, and its total size. */
function readRun(
  trun: Buffer,
  sampleSize: number,
  tables: SampleTables,
): { offset: number | null; size: number } {
  const flags = trun.readUInt32BE(0) & 0xffffff;
  const count = trun.readUInt32BE(4);
  const offset = (flags & 1) === 0 ? null : trun.readInt32BE(8);
  if ((flags & 0x200) === 0) return { offset, size: count * sampleSize };
  tables.spend(count);
  const first = 8 + (flags & 1) * 4 + ((flags & 4) >> 2) * 4;
  const before = ((flags & 0x100) >> 8) * 4;
  const width = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0).length * 4;
  let size = 0;
  for (let sample = 0; sample < count; sample++) size += trun.readUInt32BE(first + sample * width + before);
  return { offset, size };
}
