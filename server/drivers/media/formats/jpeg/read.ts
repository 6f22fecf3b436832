import { readOrientation } from '../../ifd.js';
import { type ByteSource, bufferSource } from '../../source.js';
import { type Details, displayed } from '../format.js';

/** A marker segment: `start` is the offset of its 0xFF, `end` is that of the first byte after its payload. */
export interface Segment {
  readonly marker: number;
  readonly start: number;
  readonly end: number;
}

/** Payload signatures of marker segments. */
export const EXIF_SIGNATURE = 'Exif\0\0';

const SIGNATURES = ['JFIF\0', 'JFXX\0', 'Exif\0', 'ICC_', 'Adob', 'http', 'MPF\0', 'Phot', 'AVI1'];
const END_OF_IMAGE = 0xd9;
/** The marker that precedes the coefficients. */
const START_OF_SCAN = 0xda;
const SCAN_READ = 64 * 1024;

/** The beginnings of a segment with one, two or three quantisation tables, which any JPEG has. */
const TABLES = ['ffdb0043', 'ffdb0084', 'ffdb00c5'].map((hex) => Buffer.from(hex, 'hex'));

/**
 * Whether these are the first bytes of a JPEG: consecutive markers, one with a known payload, or a table further on:
 * decoders find the next marker even if a length is wrong.
 */
export function isJpeg(head: Buffer): boolean {
  if (head.length < 4 || head.readUInt16BE(0) !== 0xffd8 || head[2] !== 0xff) return false;
  let at = 2;
  while (head[at] === 0xff && head[at + 1] === 0xff) at++;
  const marker = head[at + 1] ?? 0;
  if (marker < 0xc0 || marker === 0xff || at + 4 > head.length) return false;
  const length = head.readUInt16BE(at + 2);
  if (length >= 2 && head[at + 2 + length] === 0xff) return true;
  const payload = head.toString('latin1', at + 4, at + 9);
  return (
    SIGNATURES.some((signature) => payload.startsWith(signature)) ||
    TABLES.some((table) => head.includes(table))
  );
}

/**
 * The marker segments of the image at `offset`, across all its scans, ending with its end marker (as a segment of two
 * bytes). A segment that is truncated by the end of the file is reported up to there.
 */
export async function* segments(source: ByteSource, offset = 0): AsyncGenerator<Segment> {
  let at = offset + 2;
  for (;;) {
    at = await nextMarker(source, at);
    const head = await source.read(at, 4);
    if (head.length < 2) return;
    const marker = head.readUInt8(1);
    if (marker === END_OF_IMAGE) return yield { marker, start: at, end: at + 2 };
    const end = head.length < 4 ? source.size : Math.min(source.size, at + 2 + head.readUInt16BE(2));
    yield { marker, start: at, end };
    at = Math.max(end, at + 2);
  }
}

/** The next marker at or after `from`; skips entropy-coded data, restart markers and stray bytes. */
async function nextMarker(source: ByteSource, from: number): Promise<number> {
  for (let at = from; ; ) {
    const bytes = await source.read(at, SCAN_READ);
    if (bytes.length < 2) return source.size;
    for (let found = bytes.indexOf(0xff); found !== -1 && found + 1 < bytes.length; ) {
      const code = bytes.readUInt8(found + 1);
      if (code >= 0xc0 && code !== 0xff && (code < 0xd0 || code > 0xd8)) return at + found;
      found = bytes.indexOf(0xff, found + 1);
    }
    at += bytes.length - 1;
  }
}

/** Whether a marker begins a frame, whose header says how large the picture is and how it is coded. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** The EXIF block (a TIFF structure) of an APP1 segment; null if the segment holds something else. */
export async function exifOf(source: ByteSource, segment: Segment): Promise<Buffer | null> {
  if (segment.marker !== 0xe1) return null;
  const payload = await source.read(segment.start + 4, segment.end - segment.start - 4);
  return payload.toString('latin1', 0, 6) === EXIF_SIGNATURE ? payload.subarray(6) : null;
}

/** Dimensions of a JPEG from its headers. */
export async function readJpeg(source: ByteSource): Promise<Details> {
  let orientation = 1;
  for await (const segment of segments(source)) {
    const exif = await exifOf(source, segment);
    if (exif !== null) orientation = await readOrientation(bufferSource(exif));
    if (isFrame(segment.marker)) {
      const frame = await source.read(segment.start + 5, 4);
      if (frame.length < 4) return {};
      return displayed(frame.readUInt16BE(2), frame.readUInt16BE(0), orientation);
    }
  }
  return {};
}

/** The memory for each pixel: a JPEG in one scan is shrunk while it is decoded; one in several must be held, as two bytes for each value. */
export async function jpegDemand(source: ByteSource): Promise<number> {
  let progressive = false;
  let components: Buffer = Buffer.alloc(0);
  for await (const { marker, start } of segments(source)) {
    if (isFrame(marker)) {
      progressive = (marker & 3) === 2;
      components = await source.read(start + 9, 13);
    }
    if (marker === START_OF_SCAN) {
      const [inScan] = await source.read(start + 4, 1);
      return progressive || inScan !== components[0] ? 2 * valuesPerPixel(components) : 0;
    }
  }
  return 0;
}

/** How many values a frame has for each pixel, all its components together: three, or fewer if colours are coarser. */
function valuesPerPixel(components: Buffer): number {
  const shares = [2, 5, 8, 11].slice(0, components[0]).map((at) => {
    const sampling = components[at] ?? 0x11;
    return (sampling >> 4) * (sampling & 15);
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, ...shares);
}
