import { type Edit, overwrite, remove, replace, shift } from '../../edits.js';
import { type Cleaner, type Removal, revealsLocation } from '../../metadata/policy.js';
import { type ByteSource, slice } from '../../source.js';
import { APE_EDGE, wantedApe } from './ape.js';
import { wantedId3 } from './clean-id3.js';
import { id3End } from './id3.js';

const V1 = 128;
const ENHANCED = 227;
/** The largest tag that is read; a larger one is removed. */
const MAX_TAG = 64 * 1024 * 1024;
const MAX_TAGS = 16;

/**
 * A cleaner for sound that has tags before and behind it: ID3, APE and Lyrics3. They are rewritten with only the
 * title, artist, album …; what is between them is up to `inner`.
 */
export function taggedAudio(inner: Cleaner | null = null): Cleaner {
  return async (source, removal) => {
    const edits: Edit[] = [];
    let start = 0;
    for (let tags = 0; tags < MAX_TAGS; tags++) {
      const tag = await leadingTag(source, start, removal);
      if (tag === null) break;
      edits.push(...tag.edits);
      start = tag.end;
    }
    let end = source.size;
    for (let tags = 0; tags < MAX_TAGS; tags++) {
      const tag = await trailingTag(source, start, end, removal);
      if (tag === null) break;
      edits.push(...tag.edits);
      end = tag.start;
    }
    if (inner === null) return edits;
    return [...edits, ...shift(await inner(slice(source, start, end), removal), start)];
  };
}

interface Leading {
  readonly end: number;
  readonly edits: readonly Edit[];
}

async function leadingTag(source: ByteSource, at: number, removal: Removal): Promise<Leading | null> {
  const head = await source.read(at, APE_EDGE);
  if (head.toString('latin1', 0, 8) === 'APETAGEX' && head.length === APE_EDGE) {
    const end = Math.min(at + APE_EDGE + head.readUInt32LE(12), source.size);
    return { end, edits: [remove(at, end)] };
  }
  const end = await id3End(source, at);
  if (end === null) return null;
  if (end > source.size || end - at > MAX_TAG) {
    const known = Math.min(end, source.size);
    return { end: known, edits: [remove(at, known)] };
  }
  return { end, edits: await rewritten(source, at, end, (tag) => wantedId3(tag, removal)) };
}

async function rewritten(
  source: ByteSource,
  start: number,
  end: number,
  wanted: (bytes: Buffer) => Promise<Buffer>,
): Promise<Edit[]> {
  const bytes = await source.read(start, end - start);
  const made = await wanted(bytes);
  return made.equals(bytes) ? [] : [replace(start, end, made)];
}

interface Trailing {
  readonly start: number;
  readonly edits: readonly Edit[];
}

/** The last tag between two offsets; null if there is none. */
async function trailingTag(
  source: ByteSource,
  from: number,
  end: number,
  removal: Removal,
): Promise<Trailing | null> {
  const tail = await source.read(Math.max(from, end - ENHANCED), Math.min(ENHANCED, end - from));
  const back = (count: number, length: number) =>
    count > tail.length ? '' : tail.toString('latin1', tail.length - count, tail.length - count + length);
  if (back(V1, 3) === 'TAG') return version1(source, end - V1, removal);
  if (back(ENHANCED, 4) === 'TAG+') {
    const start = end - ENHANCED;
    return { start, edits: await unless(source, start, end, removal) };
  }
  if (back(APE_EDGE, 8) === 'APETAGEX') return apeTag(source, from, end, removal);
  if (back(9, 9) === 'LYRICS200' || back(9, 9) === 'LYRICSEND') return lyrics(source, from, end, back(15, 6));
  if (back(10, 3) !== '3DI') return null;
  const size = [4, 3, 2, 1].reduce((sum, byte) => sum * 128 + ((tail.at(-byte) ?? 0) & 0x7f), 0);
  const start = Math.max(from, end - size - 20);
  return { start, edits: await rewritten(source, start, end, (tag) => wantedId3(tag, removal)) };
}

async function unless(source: ByteSource, start: number, end: number, removal: Removal): Promise<Edit[]> {
  const kept = removal === 'location' && !revealsLocation(await source.read(start, end - start));
  return kept ? [] : [remove(start, end)];
}

/** The tag of 128 bytes: its year and its comment are blanked, but not the number of the track behind the comment. */
async function version1(source: ByteSource, start: number, removal: Removal): Promise<Trailing> {
  const tag = await source.read(start, V1);
  const tracked = tag[125] === 0 && tag[126] !== 0;
  const commentEnd = tracked ? 125 : 127;
  if (removal === 'location' && !revealsLocation(tag.subarray(97, commentEnd))) return { start, edits: [] };
  const blank = Buffer.from(tag);
  blank.fill(0, removal === 'strip' ? 93 : 97, commentEnd);
  return { start, edits: blank.equals(tag) ? [] : [overwrite(start, blank)] };
}

async function apeTag(
  source: ByteSource,
  from: number,
  end: number,
  removal: Removal,
): Promise<Trailing | null> {
  const footer = await source.read(end - APE_EDGE, APE_EDGE);
  // Its own size counts.
  const size = Math.max(APE_EDGE, footer.readUInt32LE(12));
  const headed = footer.readUInt32LE(20) >= 0x80000000 ? APE_EDGE : 0;
  const start = Math.max(from, end - size - headed);
  if (size > MAX_TAG) return { start, edits: [remove(start, end)] };
  const wanted = async (tag: Buffer) => {
    const items = tag.subarray(Math.min(headed, tag.length), Math.max(headed, tag.length - APE_EDGE));
    return wantedApe(items, removal);
  };
  return { start, edits: await rewritten(source, start, end, wanted) };
}

/** A Lyrics3 tag has its size before its end mark, or is searched for within its limit of 5100 bytes. */
async function lyrics(source: ByteSource, from: number, end: number, size: string): Promise<Trailing> {
  const start = /^\d{6}$/.test(size) ? end - 15 - Number(size) : end - 5109;
  const at = Math.max(from, start);
  const found = (await source.read(at, end - at)).indexOf('LYRICSBEGIN');
  return {
    start: found === -1 ? end - 9 : at + found,
    edits: [remove(found === -1 ? end - 9 : at + found, end)],
  };
}
