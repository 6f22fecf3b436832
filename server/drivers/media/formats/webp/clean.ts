import { MediaUnsupported } from '../../../../../routers/base/ports/media/media.js';
import { type Edit, overwrite, remove, replace } from '../../edits.js';
import { readOrientation } from '../../ifd.js';
import { minimalExif, withoutFields } from '../../metadata/exif.js';
import { namesPlace, type Removal } from '../../metadata/policy.js';
import type { ByteSource } from '../../source.js';
import { uint32LE } from '../../words.js';
import { FLAG, type RiffChunk, riffChunks, webpExif } from './read.js';

/** The chunks of the picture itself. */
const PICTURE = ['VP8 ', 'VP8L', 'ANMF'];
const LOOKS = [...PICTURE, 'VP8X', 'ALPH', 'ANIM', 'ICCP'];
const MAX_PAYLOAD = 8 * 1024 * 1024;

/**
 * Removes metadata chunks from a WebP and keeps its container header correct. The rest of a truncated picture is
 * kept. Throws `MediaUnsupported` if there is no picture.
 */
export async function cleanWebp(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits: Edit[] = [];
  let header: RiffChunk | null = null;
  let [exif, xmp] = [false, false];
  let end = 12;
  let removed = 0;
  let pictured = false;
  for await (const chunk of riffChunks(source)) {
    end = chunk.end;
    if (chunk.name === 'VP8X') header = chunk;
    pictured ||= PICTURE.includes(chunk.name);
    if (LOOKS.includes(chunk.name)) continue;
    const wanted = await wantedChunk(source, chunk, removal);
    if (wanted === 'as it is' || wanted.length > 0) {
      exif ||= chunk.name === 'EXIF';
      xmp ||= chunk.name === 'XMP ';
    }
    if (wanted === 'as it is') continue;
    edits.push(replace(chunk.start, chunk.end, wanted));
    removed += chunk.end - chunk.start - wanted.length;
  }
  const cut = await cutChunk(source, end);
  if (!pictured && !PICTURE.includes(cut ?? '')) throw new MediaUnsupported('the WebP has no picture');
  if (LOOKS.includes(cut ?? '')) end = source.size;
  if (end < source.size) edits.push(remove(end, source.size));
  if (edits.length === 0) return [];
  if (header !== null) edits.push(await flagsEdit(source, header, exif, xmp));
  return [...edits, overwrite(4, uint32LE(end - removed - 8))];
}

/** The name of a chunk that starts here, within the declared size, but is truncated; null if there is none. */
async function cutChunk(source: ByteSource, at: number): Promise<string | null> {
  const declared = 8 + (await source.read(4, 4)).readUInt32LE(0);
  if (at + 8 > Math.min(declared, source.size)) return null;
  return (await source.read(at, 4)).toString('latin1');
}

async function wantedChunk(
  source: ByteSource,
  chunk: RiffChunk,
  removal: Removal,
): Promise<Buffer | 'as it is'> {
  const none = Buffer.alloc(0);
  if (chunk.dataEnd - chunk.dataAt > MAX_PAYLOAD) return none;
  const payload = await source.read(chunk.dataAt, chunk.dataEnd - chunk.dataAt);
  if (chunk.name !== 'EXIF') return removal === 'strip' || namesPlace(payload) ? none : 'as it is';
  const exif = await webpExif(source, chunk);
  if (removal === 'location') {
    const thinned = await withoutFields(await exif.read(0, exif.size), removal);
    return thinned === null ? 'as it is' : riffChunk('EXIF', thinned);
  }
  const orientation = await readOrientation(exif);
  if (orientation === 1) return none;
  const wanted = minimalExif(orientation);
  return payload.equals(wanted) ? 'as it is' : riffChunk('EXIF', wanted);
}

function riffChunk(name: string, payload: Buffer): Buffer {
  const bytes = Buffer.alloc(8 + payload.length + (payload.length & 1));
  bytes.write(name, 0, 'latin1');
  bytes.writeUInt32LE(payload.length, 4);
  payload.copy(bytes, 8);
  return bytes;
}

async function flagsEdit(source: ByteSource, header: RiffChunk, exif: boolean, xmp: boolean): Promise<Edit> {
  const old = (await source.read(header.dataAt, 1)).readUInt8(0);
  const flags = (old & ~(FLAG.exif | FLAG.xmp)) | (exif ? FLAG.exif : 0) | (xmp ? FLAG.xmp : 0);
  return overwrite(header.dataAt, Buffer.from([flags]));
}
