import { type Edit, overwrite, remove, replace, shift, zero } from '../../edits.js';
import { readOrientation } from '../../ifd.js';
import { minimalExif, withoutFields } from '../../metadata/exif.js';
import { type Cleaner, namesPlace, type Removal } from '../../metadata/policy.js';
import { type ByteSource, bufferSource, slice } from '../../source.js';
import { EXIF_SIGNATURE, exifOf, isJpeg, type Segment, segments } from './read.js';

const END_OF_IMAGE = 0xd9;
const COMMENT = 0xfe;
const MAX_IMAGES = 16;
const READ = 64 * 1024;

/** Segments besides the coded picture that change how it looks: header, colour profile, colour transform. */
const LOOKS: Readonly<Record<number, string>> = { 224: 'JFIF\0', 226: 'ICC_PROFILE\0', 238: 'Adobe' };

/**
 * Removes metadata from a JPEG. `strip` keeps picture, colour profile and orientation and cuts everything after the
 * picture (previews, motion video). `location` moves nothing, because the segments of multi-picture files contain
 * offsets, and also processes the pictures that follow, and with `cleanVideo` a motion video.
 */
export const cleanJpeg = (
  source: ByteSource,
  removal: Removal,
  cleanVideo: Cleaner | null = null,
): Promise<Edit[]> => (removal === 'strip' ? strip(source) : blankPlaces(source, cleanVideo));

async function strip(source: ByteSource): Promise<Edit[]> {
  const edits: Edit[] = [];
  for await (const segment of segments(source)) {
    if (segment.marker === END_OF_IMAGE && segment.end < source.size)
      edits.push(remove(segment.end, source.size));
    if (!(await isMetadata(source, segment))) continue;
    const exif = await exifOf(source, segment);
    const orientation = exif === null ? 1 : await readOrientation(bufferSource(exif));
    const wanted = orientation === 1 ? Buffer.alloc(0) : exifSegment(orientation);
    const present = await source.read(segment.start, wanted.length);
    const same = segment.end - segment.start === wanted.length && present.equals(wanted);
    if (!same) edits.push(replace(segment.start, segment.end, wanted));
  }
  return edits;
}

async function isMetadata(source: ByteSource, { marker, start }: Segment): Promise<boolean> {
  if (marker === COMMENT) return true;
  if (marker < 0xe0 || marker > 0xef) return false;
  const signature = LOOKS[marker];
  if (signature === undefined) return true;
  return (await source.read(start + 4, signature.length)).toString('latin1') !== signature;
}

function exifSegment(orientation: number): Buffer {
  const payload = Buffer.concat([Buffer.from(EXIF_SIGNATURE, 'latin1'), minimalExif(orientation)]);
  const head = Buffer.from([0xff, 0xe1, 0, payload.length + 2]);
  return Buffer.concat([head, payload]);
}

async function blankPlaces(source: ByteSource, cleanVideo: Cleaner | null): Promise<Edit[]> {
  const edits: Edit[] = [];
  let at = 0;
  for (let images = 0; images < MAX_IMAGES; images++) {
    let end = source.size;
    for await (const segment of segments(source, at)) {
      if (segment.marker === END_OF_IMAGE) end = segment.end;
      else if (await isMetadata(source, segment)) edits.push(...(await blankSegment(source, segment)));
    }
    at = await skipZeros(source, end);
    if (!isJpeg(await source.read(at, 64))) break;
  }
  if (at >= source.size) return edits;
  // The size of the first box begins with zeros, which were skipped.
  const start = at - 3;
  if (cleanVideo === null || (await source.read(start + 4, 4)).toString('latin1') !== 'ftyp')
    return [...edits, remove(at, source.size)];
  const video = slice(source, start, source.size);
  return [...edits, ...shift(await cleanVideo(video, 'location'), start)];
}

async function blankSegment(source: ByteSource, segment: Segment): Promise<Edit[]> {
  const exif = await exifOf(source, segment);
  if (exif !== null) {
    const thinned = await withoutFields(exif, 'location');
    return thinned === null ? [] : [overwrite(segment.end - exif.length, thinned)];
  }
  const payload = await source.read(segment.start + 4, segment.end - segment.start - 4);
  return namesPlace(payload) ? [zero(segment.start + 4, segment.end)] : [];
}

async function skipZeros(source: ByteSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const bytes = await source.read(at, READ);
    const found = bytes.findIndex((byte) => byte !== 0);
    if (found !== -1 || bytes.length === 0) return at + Math.max(found, 0);
    at += bytes.length;
  }
}
