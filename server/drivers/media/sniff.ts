import { formatNamed, isSigned } from '../../../routers/base/ports/media/formats.js';
import { loadedOnce } from '../../shared/loaded-once.js';
import { type Format, named } from './formats/format.js';
import { driverOf, recognise } from './formats/index.js';
import { findAudio } from './formats/mpeg-audio/read.js';
import { isSvg, mayBecomeSvg, SVG_HEAD_BYTES } from './formats/svg/read.js';
import { xmlText } from './formats/svg/xml-text.js';
import { isReadable } from './formats/text.js';
import type { ByteSource } from './source.js';

const USUAL_BYTES = 16 * 1024;
/** Number of leading bytes of a file that `sniff` looks at, at most. */
export const SNIFF_BYTES = SVG_HEAD_BYTES;

const UNKNOWN = named('bin');
const UNSIGNED: Format = { ...UNKNOWN, unidentified: 'unsigned' };
const SIGNED: Format = { ...UNKNOWN, unidentified: 'signed' };

/**
 * Detects the format of a file from its first bytes. What starts like a format but does not continue like it (text or
 * a script after a fake signature) is not that format. Most files need 16 KiB; only a text or unknown bytes are
 * looked at further.
 */
export async function sniff(source: ByteSource): Promise<Format> {
  const head = await source.read(0, Math.min(USUAL_BYTES, source.size));
  const format = await formatOf(head, source.size);
  if (head.length === source.size) return format;
  if ((format.extension === 'txt' || format === UNKNOWN) && mayBecomeSvg(xmlText(head) ?? '')) {
    return isSvg(await source.read(0, SNIFF_BYTES)) ? named('svg') : format;
  }
  return format.unidentified !== undefined ? ((await audioBehindZeros(source, head)) ?? format) : format;
}

async function audioBehindZeros(source: ByteSource, head: Buffer): Promise<Format | null> {
  if (head.some((byte) => byte !== 0)) return null;
  const start = (await source.read(0, SNIFF_BYTES)).findIndex((byte) => byte !== 0);
  return start === -1 ? null : audioIn(await source.read(start, USUAL_BYTES));
}

async function formatOf(head: Buffer, size: number): Promise<Format> {
  const name = recognise(head, size);
  return name === null ? lookUp(head) : named(name);
}

/** What file-type takes for one of these is none of ours, and is not media. */
const RELATED = ['mp1', 'mp2', 'xml'];

const fileType = loadedOnce(() => import('file-type'));

/** Detects rarer formats with file-type, which is loaded on first use and less strict than our own drivers. */
async function lookUp(head: Buffer): Promise<Format> {
  const { fileTypeFromBuffer } = await fileType();
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined || RELATED.includes(found.ext) || driverOf(found.ext).is !== undefined)
    return unknown(head);
  const [top] = found.mime.split('/');
  const kind = top === 'image' || top === 'video' || top === 'audio' ? top : 'other';
  const known = { mimeType: found.mime.split(';')[0] ?? found.mime, extension: found.ext, kind } as const;
  // The type of some media does not say that they are media, and of some videos it is known to few.
  const listed = kind === 'other' || kind === 'video' ? formatNamed(found.ext) : undefined;
  return listed === undefined ? known : { ...known, mimeType: listed.mimeType, kind: listed.kind };
}

function unknown(head: Buffer): Format {
  const sound = audioIn(head);
  if (sound !== null) return sound;
  if (isReadable(head) || head.length === 0) return UNKNOWN;
  return isSigned(head.toString('latin1', 0, 12)) ? SIGNED : UNSIGNED;
}

function audioIn(bytes: Buffer): Format | null {
  const name = findAudio(bytes);
  return name === null ? null : named(name);
}
