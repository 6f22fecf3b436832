import { create } from 'content-disposition';

const NAME_LIMIT = 255;

/**
 * A file name for storage and downloads: the last part of a path, without control characters and direction
 * marks, at most 255 characters; null if nothing is left.
 */
export function displayName(name: string | null): string | null {
  if (name === null) return null;
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const clean = last
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  return clean === '' || clean === '.' || clean === '..'
    ? null
    : Array.from(clean).slice(-NAME_LIMIT).join('');
}

/** A file name with another extension. */
export const withExtension = (name: string, extension: string): string =>
  `${name.replace(/\.[A-Za-z0-9]{1,8}$/, '')}.${extension}`;

const PLAIN_NAME = /^[\w.-]+$/;

/** A `Content-Disposition` (RFC 6266); plain names need no library. */
export function dispositionHeader(disposition: 'inline' | 'attachment', filename: string | null): string {
  if (filename === null) return disposition;
  if (PLAIN_NAME.test(filename)) return `${disposition}; filename="${filename}"`;
  return create(filename, { type: disposition });
}

/** Media types that browsers may display inline: none of them can run a script (contract §4, §5). */
const INLINE_TYPES = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/bmp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
  'image/heic',
  'image/heif',
]);

/** Whether content of this type may be displayed inline; everything else is downloaded as unknown bytes. */
export const isInlineSafe = (mimeType: string): boolean =>
  INLINE_TYPES.has(mimeType) || mimeType.startsWith('video/') || mimeType.startsWith('audio/');
