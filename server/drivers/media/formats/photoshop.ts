import { type Edit, overwrite, remove } from '../edits.js';
import { withoutFields } from '../metadata/exif.js';
import { type Removal, revealsLocation } from '../metadata/policy.js';
import { type ByteSource, counting } from '../source.js';
import { uint32BE } from '../words.js';

const HEADER = 26;
const MAX_RESOURCES = 64 * 1024 * 1024;
/** Of the table with the lengths of all rows. */
const MAX_ROWS = 16 * 1024 * 1024;

/**
 * Resources that determine how a document looks or is edited: resolution, channels, halftones, layers, guides, lights,
 * profile, colours, selections, print settings.
 */
const LOOKS: ReadonlySet<number> = new Set([
  ...[1005, 1006, 1007, 1010, 1011, 1013, 1016, 1024, 1026, 1032, 1037, 1039, 1041, 1044, 1045, 1046, 1047],
  ...[1049, 1053, 1064, 1065, 1067, 1069, 1072, 1077, 1080, 1082, 1083, 2999, 10000],
]);
const isPath = (id: number): boolean => id >= 2000 && id <= 2997;
const EXIF = [1058, 1059];

/** A resource of a document: `start` is the offset of its mark, `end` that of the next one. */
interface Resource {
  readonly id: number;
  readonly start: number;
  readonly end: number;
  /** Where its data begin. */
  readonly from: number;
  readonly data: Buffer;
}

/**
 * Removes the resources of a Photoshop document that say who made it, where and with what, and what follows its picture.
 * Files inside of layers (smart objects) stay as they are.
 */
export async function cleanPhotoshop(source: ByteSource, removal: Removal): Promise<Edit[]> {
  const colours = HEADER + 4 + (await lengthAt(source, HEADER));
  const length = await lengthAt(source, colours);
  const edits: Edit[] = [];
  let left = length;
  for await (const { id, start, end, from, data } of resources(source, colours + 4, length)) {
    if (removal === 'location' && EXIF.includes(id)) {
      const thinned = await withoutFields(data, 'location');
      if (thinned !== null) edits.push(overwrite(from, thinned));
      continue;
    }
    const looks = LOOKS.has(id) || isPath(id);
    // Profiles and paths are numbers, in which anything may occur by chance.
    if (looks || (removal === 'location' && !revealsLocation(data))) continue;
    edits.push(remove(start, end));
    left -= end - start;
  }
  if (left !== length) edits.push(overwrite(colours, uint32BE(left)));
  const end = await pictureEnd(source, colours + 4 + length);
  if (end !== null && end < source.size) edits.push(remove(end, source.size));
  return edits;
}

async function* resources(source: ByteSource, start: number, length: number): AsyncGenerator<Resource> {
  if (length > MAX_RESOURCES || start + length > source.size)
    throw new RangeError('resources without an end');
  const bytes = await source.read(start, length);
  const resource = counting();
  for (let at = 0; at + 12 <= bytes.length; ) {
    resource();
    const named = at + 6;
    // The name with its length has an even number of bytes, and so has the data.
    const size = named + 1 + bytes.readUInt8(named) + ((bytes.readUInt8(named) + 1) % 2);
    const from = size + 4;
    const to = from + bytes.readUInt32BE(size);
    if (to > bytes.length) throw new RangeError('a resource beyond the end');
    const end = Math.min(to + ((to - from) % 2), bytes.length);
    yield {
      id: bytes.readUInt16BE(at + 4),
      start: start + at,
      end: start + end,
      from: start + from,
      data: bytes.subarray(from, to),
    };
    at = end;
  }
}

/** The end of the picture behind the layers; null if its compression does not tell. */
async function pictureEnd(source: ByteSource, layers: number): Promise<number | null> {
  const head = await source.read(0, HEADER);
  const isLarge = head.readUInt16BE(4) === 2;
  const start = isLarge
    ? layers + 8 + Number((await source.read(layers, 8)).readBigUInt64BE(0))
    : layers + 4 + (await lengthAt(source, layers));
  const compression = await source.read(start, 2);
  if (compression.length < 2) return null;
  const [channels, height, width] = [head.readUInt16BE(12), head.readUInt32BE(14), head.readUInt32BE(18)];
  const rows = channels * height;
  if (compression.readUInt16BE(0) === 0)
    return start + 2 + rows * Math.ceil((width * head.readUInt16BE(22)) / 8);
  if (compression.readUInt16BE(0) !== 1) return null;
  const step = isLarge ? 4 : 2;
  if (rows * step > MAX_ROWS) return null;
  const counts = await source.read(start + 2, rows * step);
  if (counts.length < rows * step) return null;
  let end = start + 2 + counts.length;
  for (let at = 0; at < counts.length; at += step) end += counts.readUIntBE(at, step);
  return end;
}

const lengthAt = async (source: ByteSource, at: number): Promise<number> =>
  (await source.read(at, 4)).readUInt32BE(0);
