import { MediaUnsupported } from '../../../../../routers/ports/media.js';
import { type Edit, overwrite, remove } from '../../edits.js';
import { type Removal, tellsPlace } from '../../metadata/policy.js';
import type { ByteSource } from '../../source.js';
import { uint32BE, uint32LE } from '../../words.js';
import { BIG_ENDIAN, type IffChunk, type IffStyle, iffChunks, RIFF, WAVE64 } from './chunks.js';

/** Chunks that hold the sound, or say how to play it: format, samples, cue points, loops. */
const WAVE_SOUND = 'fmt |data|fact|cue |smpl|inst|plst|slnt|levl|ds64'.split('|');
const AIFF_SOUND = 'COMM|SSND|FVER|MARK|INST|CHAN|AESD|MIDI|trns'.split('|');
/** The chunks of Wave64 have names of 16 bytes: `fmt `, `fact`, `data` and `levl` with a fixed ending. */
const WAVE64_SOUND = WAVE_SOUND.map((name) => `${name}\xf3\xac\xd3\x11\x8c\xd1\x00\xc0\x4f\x8e\xdb\x8a`);
/** Chunks of text; any other is removed with `location`, because nobody can say what it tells. */
const TEXTS = 'LIST|bext|iXML|axml|chna|_PMX|DISP|cart|afsp|PEAK|acid|strc|NAME|AUTH|(c) |ANNO|COMT'.split(
  '|',
);
const PADDING = ['JUNK', 'PAD ', 'FLLR', 'junk'];
const MAX_TEXT = 16 * 1024 * 1024;
const UNKNOWN = 0xffffffff;

/** What is kept of the chunks of one format, and where the format has the size of the whole. */
interface Plan {
  readonly style: IffStyle;
  readonly start: number;
  readonly limit: number;
  readonly sound: { readonly name: string; readonly size: number | null };
  readonly kept: readonly string[];
}

/** Removes metadata chunks from a WAV file, also in its forms for more than 4 GiB (RF64, BW64). */
export async function cleanWave(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const magic = (await source.read(0, 4)).toString('latin1');
  const style = magic === 'RIFX' ? BIG_ENDIAN : RIFF;
  const ds64 = magic.startsWith('RIF') ? null : await findLongSizes(source);
  const limit = source.size;
  const sound = { name: 'data', size: ds64?.sound ?? null };
  const { edits, removed } = await cleanChunks(
    source,
    { style, start: 12, limit, sound, kept: WAVE_SOUND },
    removal,
  );
  if (edits.length === 0) return [];
  const total = source.size - removed - 8;
  if (ds64 !== null) edits.push(overwrite(ds64.at, long64(total)));
  const open = (await source.read(4, 4)).readUInt32LE(0) === UNKNOWN || total > UNKNOWN;
  return [...edits, overwrite(4, long32(open ? UNKNOWN : total, style))];
}

/** The sizes of more than 32 bits: the position of that of the file, and that of the sound. */
async function findLongSizes(source: ByteSource): Promise<{ at: number; sound: number } | null> {
  const head = await source.read(12, 24);
  if (head.length < 24 || head.toString('latin1', 0, 4) !== 'ds64') return null;
  return { at: 20, sound: Number(head.readBigUInt64LE(16)) };
}

const long32 = (size: number, { littleEndian }: IffStyle): Buffer =>
  littleEndian ? uint32LE(size) : uint32BE(size);

function long64(size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(size));
  return bytes;
}

/** Removes metadata chunks from an AIFF or AIFC file. */
export async function cleanAiff(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const sound = { name: 'SSND', size: null };
  const plan = { style: BIG_ENDIAN, start: 12, limit: source.size, sound, kept: AIFF_SOUND };
  const { edits, removed } = await cleanChunks(source, plan, removal);
  if (edits.length === 0) return [];
  return [...edits, overwrite(4, long32(Math.min(source.size - removed - 8, UNKNOWN), BIG_ENDIAN))];
}

/** Removes metadata chunks from a Wave64 file. */
export async function cleanWave64(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const sound = { name: WAVE64_SOUND[1] ?? '', size: null };
  const plan = { style: WAVE64, start: 40, limit: source.size, sound, kept: WAVE64_SOUND };
  const { edits, removed } = await cleanChunks(source, plan, removal);
  return edits.length === 0 ? [] : [...edits, overwrite(16, long64(source.size - removed))];
}

async function cleanChunks(
  source: ByteSource,
  { style, start, limit, sound, kept }: Plan,
  removal: Removal,
): Promise<{ edits: Edit[]; removed: number }> {
  const edits: Edit[] = [];
  let removed = 0;
  let end = start;
  let hasSound = false;
  const drop = (from: number, to: number) => {
    edits.push(remove(from, to));
    removed += to - from;
  };
  for await (const chunk of iffChunks(source, style, start, limit, sound)) {
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
  return removal === 'location' && TEXTS.includes(name) && !tellsPlace(payload);
}
