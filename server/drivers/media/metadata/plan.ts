import type { MediaFacts, MetadataPolicy, MetadataState } from '../../../../routers/ports/media.js';
import type { Edit, Plan } from '../edits.js';
import { taggedAudio } from '../formats/audio-tags/clean.js';
import { cleanBmp, cleanIcon } from '../formats/bitmap/clean.js';
import { cleanFlac } from '../formats/flac.js';
import { cleanGif } from '../formats/gif/clean.js';
import { cleanAvi } from '../formats/iff/clean-avi.js';
import { cleanAiff, cleanWave, cleanWave64 } from '../formats/iff/clean-sound.js';
import { cleanCanon } from '../formats/iso/clean/canon.js';
import { cleanAttachedMovie, cleanHeif, cleanMovie, cleanMusic } from '../formats/iso/clean/index.js';
import { cleanJ2k, cleanJp2 } from '../formats/iso/clean/jp2.js';
import { cleanJxl } from '../formats/iso/clean/jxl.js';
import { faststart } from '../formats/iso/faststart.js';
import { cleanJpeg } from '../formats/jpeg/clean.js';
import { cleanMatroska } from '../formats/matroska/clean.js';
import { cleanOgg } from '../formats/ogg/clean.js';
import { cleanPhotoshop } from '../formats/photoshop.js';
import { cleanPng } from '../formats/png/clean.js';
import { cleanRaw, cleanTiff } from '../formats/tiff/clean.js';
import { RAW_FORMATS } from '../formats/tiff/raw.js';
import { cleanWebp } from '../formats/webp/clean.js';
import type { ByteSource } from '../source.js';
import { blankEmbedded } from './embedded.js';
import type { Cleaner } from './policy.js';

const cleaners: Readonly<Record<string, Cleaner>> = {
  jpg: (source, removal) => cleanJpeg(source, removal, cleanAttachedMovie),
  png: cleanPng,
  webp: cleanWebp,
  gif: cleanGif,
  tif: cleanTiff,
  bmp: cleanBmp,
  ico: cleanIcon,
  cur: cleanIcon,
  psd: cleanPhotoshop,
  heic: cleanHeif,
  heif: cleanHeif,
  avif: cleanHeif,
  mp4: cleanMovie,
  mov: cleanMovie,
  '3gp': cleanMovie,
  m4a: cleanMusic,
  mj2: cleanMovie,
  cr3: cleanCanon,
  jxl: cleanJxl,
  jp2: cleanJp2,
  jpx: cleanJp2,
  j2c: cleanJ2k,
  webm: cleanMatroska,
  mkv: cleanMatroska,
  mka: cleanMatroska,
  wav: cleanWave,
  w64: cleanWave64,
  aif: cleanAiff,
  avi: cleanAvi,
  mp3: taggedAudio(),
  aac: taggedAudio(),
  mpc: taggedAudio(),
  tta: taggedAudio(),
  ape: taggedAudio(),
  wv: taggedAudio(),
  flac: taggedAudio(cleanFlac),
  ogg: cleanOgg,
  opus: cleanOgg,
  ogv: cleanOgg,
  ...Object.fromEntries(Object.keys(RAW_FORMATS).map((extension) => [extension, cleanRaw])),
};

/**
 * Formats of which only parts are understood: documents with files inside, maker notes in a form of their own, and those
 * of which nothing but well-known blocks is found.
 */
const PARTLY: ReadonlySet<string> = new Set(['psd', 'x3f', 'mrw', 'crw']);

const MOVIES = ['mp4', 'mov', 'm4a'];

/**
 * How a file has to change so that its metadata follows the policy, and so that a movie's index comes first. Null if
 * it is fine as it is, and always with `keep`: such a file is stored exactly as it was sent. Parts after damage are
 * not changed.
 */
export async function planCleaning(
  source: ByteSource,
  facts: MediaFacts,
  policy: MetadataPolicy,
): Promise<Plan | null> {
  if (policy === 'keep') return null;
  const edits = await findEdits(source, facts, policy);
  const moved = MOVIES.includes(facts.extension) ? await faststart(source) : null;
  if (moved !== null) return { order: moved.order, edits: [...moved.edits, ...edits] };
  return edits.length === 0 ? null : { order: [{ start: 0, end: source.size }], edits };
}

async function findEdits(
  source: ByteSource,
  facts: MediaFacts,
  policy: 'strip' | 'location',
): Promise<Edit[]> {
  const cleaner = cleaners[facts.extension];
  if (cleaner !== undefined) return cleaner(source, policy);
  return facts.kind === 'image' ? blankEmbedded(source) : [];
}

/** What is known of the metadata of a file once it is cleaned; null for what is no medium. */
export function metadataAfter(facts: MediaFacts, policy: MetadataPolicy): MetadataState | null {
  if (facts.kind === 'other' && facts.unidentified !== true) return null;
  if (policy === 'keep') return 'kept';
  return facts.extension in cleaners && !PARTLY.has(facts.extension) ? 'removed' : 'mayRemain';
}
