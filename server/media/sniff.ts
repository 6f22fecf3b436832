import { BMP, ICO, isBmp, isIco } from './formats/bitmap.js';
import { audio, type Format, image, video } from './formats/format.js';
import { GIF, isGif } from './formats/gif.js';
import { AVIF, HEIC, HEIF } from './formats/heif.js';
import { isJpeg, JPEG } from './formats/jpeg.js';
import { M4A, MP4 } from './formats/mp4.js';
import { AAC, isAac, isMp3, MP3 } from './formats/mpeg-audio.js';
import { isPng, PNG } from './formats/png.js';
import { rawByMagic } from './formats/raw.js';
import { SVG, svgRoot } from './formats/svg.js';
import { isTiff, TIFF } from './formats/tiff.js';
import { isTransportStream } from './formats/transport-stream.js';
import { isWebp, WEBP } from './formats/webp.js';

/** Number of leading bytes of a file that `sniff` needs. */
export const SNIFF_BYTES = 16 * 1024;

const BINARY: Format = { mimeType: 'application/octet-stream', extension: 'bin', kind: 'other' };
const TEXT: Format = { mimeType: 'text/plain', extension: 'txt', kind: 'other' };
const MOV = video('mov', 'video/quicktime');
const WEBM = video('webm');
const MATROSKA = video('mkv', 'video/x-matroska');
const AVI = video('avi', 'video/x-msvideo');

/**
 * Detects the format of a file from its first bytes. What starts like a format but does not continue like it (text or
 * a script after a fake signature) is not that format.
 */
export async function sniff(head: Buffer, size: number): Promise<Format> {
  if (isJpeg(head)) return JPEG;
  if (isPng(head)) return PNG;
  if (isGif(head)) return GIF;
  if (isWebp(head)) return WEBP;
  // A PDF may consist of text only.
  if (isPdf(head)) return lookUp(head);
  return (
    textFormat(head) ?? isoFormat(head, size) ?? soundFormat(head) ?? bitmapFormat(head, size) ?? lookUp(head)
  );
}

const isPdf = (head: Buffer): boolean => /^%PDF-\d\.\d\s/.test(head.toString('latin1', 0, 9));

const AUDIO_BRANDS = ['M4A ', 'M4B ', 'M4P ', 'F4A ', 'F4B '];
const CLASSIC_QUICKTIME = ['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'];

function isoFormat(head: Buffer, size: number): Format | null {
  if (head.length < 12) return null;
  const type = head.toString('latin1', 4, 8);
  const boxSize = head.readUInt32BE(0);
  if (CLASSIC_QUICKTIME.includes(type))
    return boxSize === 1 || (boxSize >= 8 && boxSize <= size) ? MOV : null;
  if (type !== 'ftyp' || boxSize < 12) return null;
  const brands: string[] =
    head.toString('latin1', 8, Math.min(boxSize, head.length)).match(/[\s\S]{4}/g) ?? [];
  const major = brands[0] ?? '';
  if (/^(avif|avis)$/.test(major)) return AVIF;
  if (/^(hei[cxms]|hev[cxms])$/.test(major)) return HEIC;
  if (/^(mif1|mif2|msf1)$/.test(major)) {
    if (brands.includes('avif') || brands.includes('avis')) return AVIF;
    return brands.includes('heic') || brands.includes('heix') ? HEIC : HEIF;
  }
  if (major === 'qt  ') return MOV;
  if (AUDIO_BRANDS.includes(major)) return M4A;
  if (major === 'crx ') return image('cr3', 'image/x-canon-cr3');
  if (/^3g/.test(major)) return video('3gp', 'video/3gpp');
  return /^j[pxm]/.test(major) ? null : MP4;
}

function soundFormat(head: Buffer): Format | null {
  const magic = head.toString('latin1', 0, 4);
  const riff = magic === 'RIFF' ? head.toString('latin1', 8, 12) : '';
  if (riff === 'WAVE') return audio('wav');
  if (riff === 'AVI ') return AVI;
  if (magic === 'fLaC') return audio('flac');
  if (magic === 'OggS') return oggFormat(head);
  if (magic === '\x1aE\xdf\xa3') {
    const docType = /\x42\x82[\x81-\x9f](webm|matroska)/.exec(head.toString('latin1', 0, 256))?.[1];
    return docType === undefined ? null : docType === 'webm' ? WEBM : MATROSKA;
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

/** Text is valid UTF-8 (the last character may be truncated) without control characters. */
function textFormat(head: Buffer): Format | null {
  if (head.length === 0) return null;
  for (const byte of head) {
    if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) return null;
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return svgRoot(text) === null ? TEXT : SVG;
  } catch {
    return null;
  }
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

let fileType: Promise<typeof import('file-type')> | null = null;

/** Detects rarer formats with file-type, which is loaded on first use. */
async function lookUp(head: Buffer): Promise<Format> {
  if (isTiff(head)) return TIFF;
  const raw = rawByMagic(head);
  if (raw !== null) return raw;
  fileType ??= import('file-type');
  const { fileTypeFromBuffer } = await fileType;
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return BINARY;
  if (found.ext === 'mts' && !isTransportStream(head)) return BINARY;
  if (JUDGED_HERE.includes(found.ext)) return BINARY;
  const [top] = found.mime.split('/');
  const kind = top === 'image' || top === 'video' || top === 'audio' ? top : 'other';
  return { mimeType: found.mime.split(';')[0] ?? found.mime, extension: found.ext, kind };
}
