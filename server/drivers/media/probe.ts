import type { MediaFacts } from '../../../routers/ports/media.js';
import { leadingTagsEnd } from './formats/audio-tags/id3.js';
import { readBmp, readIco } from './formats/bitmap/read.js';
import type { Details, Format } from './formats/format.js';
import { readGif } from './formats/gif/read.js';
import { readAvi, readWave } from './formats/iff/read.js';
import { readHeif } from './formats/iso/heif.js';
import { readMp4 } from './formats/iso/movie.js';
import { readJpeg } from './formats/jpeg/read.js';
import { readPng } from './formats/png/read.js';
import { readSvg } from './formats/svg/read.js';
import { readTiff } from './formats/tiff/read.js';
import { readWebp } from './formats/webp/read.js';
import { sniff } from './sniff.js';
import { type ByteSource, slice, TooManyParts } from './source.js';

type Reader = (source: ByteSource, name: string | null) => Promise<Details>;

const readers: Readonly<Record<string, Reader>> = {
  jpg: readJpeg,
  png: readPng,
  gif: readGif,
  webp: readWebp,
  bmp: readBmp,
  ico: readIco,
  tif: readTiff,
  svg: readSvg,
  heic: readHeif,
  heif: readHeif,
  avif: readHeif,
  mp4: readMp4,
  mov: readMp4,
  m4a: readMp4,
  '3gp': readMp4,
  wav: readWave,
  avi: readAvi,
  mp3: readTagged,
};

/** Sound that programs put an ID3 tag before although it has tags of its own. */
const TAGGED = ['flac', 'aac', 'ape', 'mpc', 'wv', 'tta'];

/** What is behind an ID3 tag need not be MP3. */
async function readTagged(source: ByteSource): Promise<Details> {
  const start = await leadingTagsEnd(source);
  const behind = start === 0 ? null : await sniff(slice(source, start, source.size));
  return behind !== null && TAGGED.includes(behind.extension) ? { format: behind } : {};
}

/**
 * Reads facts from the headers of a file, in this process and within microseconds. Never throws because of the
 * content. `name` is the file's: it only tells apart the types of one camera maker.
 */
export async function readFacts(source: ByteSource, name: string | null = null): Promise<MediaFacts> {
  const format = await sniff(source);
  const details = await detailsOf(source, format, name);
  return {
    width: null,
    height: null,
    durationMs: null,
    animated: false,
    ...format,
    ...details.format,
    ...without(details),
  };
}

async function detailsOf(source: ByteSource, format: Format, name: string | null): Promise<Details> {
  try {
    return (await readers[format.extension]?.(source, name)) ?? {};
  } catch (error) {
    // Readers check lengths where it matters. If a damaged header still causes an error, the facts are missing.
    if (error instanceof RangeError || error instanceof TooManyParts) return {};
    throw error;
  }
}

function without({ format: _format, ...facts }: Details): Omit<Details, 'format'> {
  return facts;
}
