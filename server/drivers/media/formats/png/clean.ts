import { pngChunk } from '../../../../shared/png-chunk.js';
import { type Edit, remove, replace } from '../../edits.js';
import { readOrientation } from '../../ifd.js';
import { minimalExif, withoutFields } from '../../metadata/exif.js';
import { namesPlace, type Removal } from '../../metadata/policy.js';
import { type ByteSource, bufferSource } from '../../source.js';
import { type Chunk, chunks, payloadOf } from './read.js';

/** Chunks that affect how the picture looks and moves. */
const LOOKS = new Set(
  'CgBI IHDR PLTE IDAT IEND tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV mDCv cLLI cLLi bKGD hIST pHYs sPLT acTL fcTL fdAT'.split(
    ' ',
  ),
);
const PIXELS = ['IDAT', 'fdAT'];
const TEXTS = ['tEXt', 'zTXt', 'iTXt'];
const MAX_PAYLOAD = 8 * 1024 * 1024;

/** Removes metadata chunks and anything after the end of a PNG. */
export async function cleanPng(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const edits: Edit[] = [];
  let end = 8;
  for await (const chunk of chunks(source)) {
    end = chunk.end;
    if (LOOKS.has(chunk.name)) continue;
    const edit = await editOf(source, chunk, removal);
    if (edit !== null) edits.push(edit);
  }
  const rest = (await source.read(end + 4, 4)).toString('latin1');
  // What follows the end, or is no chunk, belongs to nothing. Pixels that are cut off stay.
  if (end < source.size && !PIXELS.includes(rest)) edits.push(remove(end, source.size));
  return edits;
}

async function editOf(source: ByteSource, chunk: Chunk, removal: Removal): Promise<Edit | null> {
  if (chunk.end - chunk.start > MAX_PAYLOAD) return remove(chunk.start, chunk.end);
  const payload = await payloadOf(source, chunk);
  if (chunk.name === 'eXIf') return exifEdit(chunk, payload, removal);
  if (removal === 'strip') return remove(chunk.start, chunk.end);
  const hidden = chunk.name === 'zTXt' || (chunk.name === 'iTXt' && payload[payload.indexOf(0) + 1] === 1);
  const profile = TEXTS.includes(chunk.name) && payload.toString('latin1', 0, 16) === 'Raw profile type';
  return hidden || profile || namesPlace(payload) ? remove(chunk.start, chunk.end) : null;
}

async function exifEdit(chunk: Chunk, payload: Buffer, removal: Removal): Promise<Edit | null> {
  if (removal === 'location') {
    const thinned = await withoutFields(payload, removal);
    return thinned === null ? null : replace(chunk.start, chunk.end, pngChunk('eXIf', thinned));
  }
  const orientation = await readOrientation(bufferSource(payload));
  if (orientation === 1) return remove(chunk.start, chunk.end);
  const wanted = minimalExif(orientation);
  return payload.equals(wanted) ? null : replace(chunk.start, chunk.end, pngChunk('eXIf', wanted));
}
