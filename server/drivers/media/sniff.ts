import { BMP, ICO, isBmp, isIco } from './formats/bitmap/read.js';
import { audio, type Format, video } from './formats/format.js';
import { GIF, isGif } from './formats/gif/read.js';
import { AVI, WAV } from './formats/iff/read.js';
import { isoFormat } from './formats/iso/brands.js';
import { isJpeg, JPEG } from './formats/jpeg/read.js';
import { AAC, findAudio, isAac, isMp3, MP3 } from './formats/mpeg-audio.js';
import { isPng, PNG } from './formats/png/read.js';
import { mayBecomeSvg, SVG_HEAD_BYTES } from './formats/svg/read.js';
import { xmlText } from './formats/svg/xml-text.js';
import { isReadable, TEXT, textFormat } from './formats/text.js';
import { rawByMagic } from './formats/tiff/raw.js';
import { isTiff, TIFF } from './formats/tiff/read.js';
import { isTransportStream } from './formats/transport-stream.js';
import { isWebp, WEBP } from './formats/webp/read.js';
import type { ByteSource } from './source.js';

const USUAL_BYTES = 16 * 1024;
/** Number of leading bytes of a file that `sniff` looks at, at most. */
export const SNIFF_BYTES = SVG_HEAD_BYTES;

const BINARY: Format = { mimeType: 'application/octet-stream', extension: 'bin', kind: 'other' };
const UNIDENTIFIED: Format = { ...BINARY, unidentified: true };
const WEBM = video('webm');
const MATROSKA = video('mkv', 'video/x-matroska');

/**
 * Detects the format of a file from its first bytes. What starts like a format but does not continue like it (text or
 * a script after a fake signature) is not that format. Most files need 16 KiB; only a text or unknown bytes are
 * looked at further.
 */
export async function sniff(source: ByteSource): Promise<Format> {
  const head = await source.read(0, Math.min(USUAL_BYTES, source.size));
  const format = await headFormat(head, source.size);
  if (head.length === source.size) return format;
  if ((format === TEXT || format === BINARY) && mayBecomeSvg(xmlText(head) ?? '')) {
    return textFormat(await source.read(0, SNIFF_BYTES)) ?? format;
  }
  return format === UNIDENTIFIED ? ((await audioBehindZeros(source, head)) ?? format) : format;
}

async function audioBehindZeros(source: ByteSource, head: Buffer): Promise<Format | null> {
  if (head.some((byte) => byte !== 0)) return null;
  const start = (await source.read(0, SNIFF_BYTES)).findIndex((byte) => byte !== 0);
  return start === -1 ? null : findAudio(await source.read(start, USUAL_BYTES));
}

async function headFormat(head: Buffer, size: number): Promise<Format> {
  if (isJpeg(head)) return JPEG;
  if (isPng(head)) return PNG;
  if (isGif(head)) return GIF;
  if (isWebp(head)) return WEBP;
  // A PDF may consist of text only.
  if (isPdf(head)) return lookUp(head);
  return textFormat(head) ?? isoFormat(head) ?? soundFormat(head) ?? bitmapFormat(head, size) ?? lookUp(head);
}

const isPdf = (head: Buffer): boolean => /^%PDF-\d\.\d\s/.test(head.toString('latin1', 0, 9));

function soundFormat(head: Buffer): Format | null {
  const magic = head.toString('latin1', 0, 4);
  // The forms for more than 4 GB have names of their own.
  const riff = /^(?:RIF[FX]|RF64|BW64)$/.test(magic) ? head.toString('latin1', 8, 12) : '';
  if (riff === 'WAVE') return WAV;
  if (riff === 'AVI ') return AVI;
  if (magic === 'fLaC') return audio('flac');
  if (magic === 'OggS') return oggFormat(head);
  if (magic === '\x1aE\xdf\xa3') {
    const docType = /\x42\x82[\x81-\x9f](webm|matroska)/.exec(head.toString('latin1', 0, 256))?.[1];
    return docType === 'webm' ? WEBM : MATROSKA;
  }
  if (isMp3(head)) return MP3;
  return isAac(head) ? AAC : null;
}

function oggFormat(head: Buffer): Format {
  const start = head.toString('latin1', 0, 256);
  if (start.includes('OpusHead')) return audio('opus', 'audio/ogg');
  return start.includes('\x80theora') ? video('ogv', 'video/ogg') : audio('ogg');
}

function bitmapFormat(head: Buffer, size: number): Format | null {
  if (isBmp(head)) return BMP;
  return isIco(head, size) ? ICO : null;
}

/** Formats that this module decides itself; file-type is less strict and not used for them. */
const JUDGED_HERE = [
  'jpg',
  'png',
  'gif',
  'webp',
  'bmp',
  'ico',
  'tif',
  'mp1',
  'mp2',
  'mp3',
  'aac',
  'mp4',
  'mov',
  'svg',
  'xml',
];

/** Media whose type in file-type does not say so. */
const MEDIA: Readonly<Record<string, Format>> = {
  asf: video('asf', 'video/x-ms-asf'),
  mxf: video('mxf', 'application/mxf'),
};

let fileType: Promise<typeof import('file-type')> | null = null;

/** Detects rarer formats with file-type, which is loaded on first use. */
async function lookUp(head: Buffer): Promise<Format> {
  if (isTiff(head)) return TIFF;
  const raw = rawByMagic(head);
  if (raw !== null) return raw;
  fileType ??= import('file-type');
  const { fileTypeFromBuffer } = await fileType;
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined || JUDGED_HERE.includes(found.ext)) return unknown(head);
  if (found.ext === 'mts' && !isTransportStream(head)) return unknown(head);
  const [top] = found.mime.split('/');
  const kind = top === 'image' || top === 'video' || top === 'audio' ? top : 'other';
  const known = { mimeType: found.mime.split(';')[0] ?? found.mime, extension: found.ext, kind } as const;
  return kind === 'other' ? (MEDIA[found.ext] ?? known) : known;
}

function unknown(head: Buffer): Format {
  const sound = findAudio(head);
  if (sound !== null) return sound;
  return isReadable(head) || head.length === 0 ? BINARY : UNIDENTIFIED;
}
