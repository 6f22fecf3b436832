import { MediaUnsupported } from '../../../../../routers/base/ports/media/media.js';
import { type Edit, overwrite, remove } from '../../edits.js';
import { type Removal, revealsLocation } from '../../metadata/policy.js';
import type { ByteSource } from '../../source.js';
import { uint32BE, uint32LE } from '../../words.js';

/** One chunk of a file in the manner of IFF: `end` includes what aligns the next chunk. */
interface IffChunk {
  readonly name: string;
  readonly start: number;
  readonly dataAt: number;
  readonly end: number;
}

/** How sizes are written: as in RIFF, or as in AIFF and the rare RIFF of big-endian machines (RIFX). */
type ByteOrder = 'littleEndian' | 'bigEndian';

const HEADER_BYTES = 8;

/**
 * The chunks from `start` up to `limit`. `sound` names the chunk that goes to the limit if its size says more, or
 * nothing (0 or all ones, as in a recording that was not finished); any other such chunk ends the list.
 */
async function* iffChunks(
  source: ByteSource,
  order: ByteOrder,
  start: number,
  limit: number,
  sound: { readonly name: string; readonly size: number | null },
): AsyncGenerator<IffChunk> {
  for (let at = start; at + HEADER_BYTES <= limit; ) {
    const head = await source.read(at, HEADER_BYTES);
    if (head.length < HEADER_BYTES) return;
    const name = head.toString('latin1', 0, 4);
    if (!/^[ -~]{4}$/.test(name)) return;
    const dataAt = at + HEADER_BYTES;
    const isSound = name === sound.name;
    const stored = order === 'littleEndian' ? head.readUInt32LE(4) : head.readUInt32BE(4);
    const declared = (isSound ? sound.size : null) ?? stored;
    const open = isSound && (declared === 0 || declared === 0xffffffff);
    const dataEnd = open ? limit : dataAt + declared;
    if (dataEnd > limit && !isSound) return;
    const end = Math.min(dataEnd + (dataEnd % 2), limit);
    yield { name, start: at, dataAt, end };
    at = end;
  }
}

/** Chunks that hold the sound, or say how to play it: format, samples, cue points, loops. */
const WAVE_SOUND = 'fmt |data|fact|cue |smpl|inst|plst|slnt|levl|ds64'.split('|');
const AIFF_SOUND = 'COMM|SSND|FVER|MARK|INST|CHAN|AESD|MIDI|trns'.split('|');
/** Chunks of text; any other is removed with `location`, because nobody can say what it tells. */
const TEXTS = 'LIST|bext|iXML|axml|chna|_PMX|DISP|cart|afsp|PEAK|acid|strc|NAME|AUTH|(c) |ANNO|COMT'.split(
  '|',
);
const PADDING = ['JUNK', 'PAD ', 'FLLR', 'junk'];
const MAX_TEXT = 16 * 1024 * 1024;
const UNKNOWN = 0xffffffff;
/** Behind the name of the file, its size, and its type. */
const FIRST_CHUNK = 12;

/** How the chunks of one format are written, and what is kept of them. */
interface Plan {
  readonly order: ByteOrder;
  readonly sound: { readonly name: string; readonly size: number | null };
  readonly kept: readonly string[];
}

/** Removes metadata chunks from a WAV file, also in its forms for more than 4 GiB (RF64, BW64). */
export async function cleanWave(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const magic = (await source.read(0, 4)).toString('latin1');
  const order = magic === 'RIFX' ? 'bigEndian' : 'littleEndian';
  const ds64 = magic.startsWith('RIF') ? null : await findLongSizes(source);
  const sound = { name: 'data', size: ds64?.sound ?? null };
  const { edits, removed } = await cleanChunks(source, { order, sound, kept: WAVE_SOUND }, removal);
  if (edits.length === 0) return [];
  const total = source.size - removed - 8;
  if (ds64 !== null) edits.push(overwrite(ds64.at, long64(total)));
  const open = (await source.read(4, 4)).readUInt32LE(0) === UNKNOWN || total > UNKNOWN;
  return [...edits, overwrite(4, long32(open ? UNKNOWN : total, order))];
}

/** The sizes of more than 32 bits: the position of that of the file, and that of the sound. */
async function findLongSizes(source: ByteSource): Promise<{ at: number; sound: number } | null> {
  const head = await source.read(12, 24);
  if (head.length < 24 || head.toString('latin1', 0, 4) !== 'ds64') return null;
  return { at: 20, sound: Number(head.readBigUInt64LE(16)) };
}

const long32 = (size: number, order: ByteOrder): Buffer =>
  order === 'littleEndian' ? uint32LE(size) : uint32BE(size);

function long64(size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(size));
  return bytes;
}

/** Removes metadata chunks from an AIFF or AIFC file. */
export async function cleanAiff(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const sound = { name: 'SSND', size: null };
  const plan = { order: 'bigEndian', sound, kept: AIFF_SOUND } as const;
  const { edits, removed } = await cleanChunks(source, plan, removal);
  if (edits.length === 0) return [];
  return [...edits, overwrite(4, long32(Math.min(source.size - removed - 8, UNKNOWN), plan.order))];
}

async function cleanChunks(
  source: ByteSource,
  { order, sound, kept }: Plan,
  removal: Removal,
): Promise<{ edits: Edit[]; removed: number }> {
  const edits: Edit[] = [];
  let removed = 0;
  let end = FIRST_CHUNK;
  let hasSound = false;
  const drop = (from: number, to: number) => {
    edits.push(remove(from, to));
    removed += to - from;
  };
  for await (const chunk of iffChunks(source, order, FIRST_CHUNK, source.size, sound)) {
    end = chunk.end;
    hasSound ||= chunk.name === sound.name || (await isWaveList(source, chunk));
    if (kept.includes(chunk.name) || (await isHarmless(source, chunk, removal))) continue;
    drop(chunk.start, chunk.end);
  }
  // Behind a chunk that is malformed, nobody knows what is sound.
  if (!hasSound) throw new MediaUnsupported('the sound of the file cannot be found');
  if (end < source.size) drop(end, source.size);
  return { edits, removed };
}

/** A list of waves is sound in pieces. */
const isWaveList = async (source: ByteSource, { name, dataAt }: IffChunk): Promise<boolean> =>
  name === 'LIST' && (await source.read(dataAt, 4)).toString('latin1') === 'wavl';

async function isHarmless(source: ByteSource, chunk: IffChunk, removal: Removal): Promise<boolean> {
  const { name, dataAt, end } = chunk;
  if (await isWaveList(source, chunk)) return true;
  if (end - dataAt > MAX_TEXT) return false;
  const payload = await source.read(dataAt, end - dataAt);
  if (PADDING.includes(name)) return payload.every((byte) => byte === 0);
  return removal === 'location' && TEXTS.includes(name) && !revealsLocation(payload);
}
