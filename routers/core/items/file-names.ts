import {
  claimsSignature,
  FORMATS,
  formatNamed,
  isMediaExtension,
  shownBy,
} from '../../base/ports/media/formats.js';
import type { MediaFacts } from '../../base/ports/media/media.js';
import { cutName } from '../../base/text/cut.js';

const MAX_NAME_BYTES = 255;

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
  return clean === '' || clean === '.' || clean === '..' ? null : cutName(clean, MAX_NAME_BYTES);
}

const extensionOf = (name: string): string => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';

/** Whether a file name says that the file is an image, a video or audio. */
export const namesMedia = (name: string): boolean => isMediaExtension(extensionOf(name));

const MEDIA_TYPE = /^(image|video|audio)\//i;

/** Whether the name of a file or its type says that it is an image, a video or audio. */
export const claimsMedia = (name: string, type: string): boolean => namesMedia(name) || MEDIA_TYPE.test(type);

/**
 * Whether content may be the medium that its name or type says: not if it is positively something else (text, a page,
 * a program, an archive …), nor a format that has a signature without it. Other content of no known format may
 * be one, because not every medium can be recognised.
 */
export const mayBeMedia = (
  facts: Pick<MediaFacts, 'kind' | 'unidentified'>,
  name: string,
  type: string,
): boolean =>
  facts.kind !== 'other' ||
  facts.unidentified === 'signed' ||
  (facts.unidentified === 'unsigned' &&
    !claimsSignature(extensionOf(name), type.split(';', 1)[0]?.trim().toLowerCase() ?? ''));

/**
 * The name under which a picture is saved: programs go by its extension, so that of another format (a JPEG called
 * `.HEIC` by a phone) becomes its own.
 */
export function savedName(name: string, type: string): string {
  const format = formatNamed(type);
  const called = extensionOf(name);
  const misleads =
    format?.signature !== undefined && isMediaExtension(called) && !format.names.includes(called);
  return misleads ? withExtension(name, type) : name;
}

/** A file name with another extension. */
export const withExtension = (name: string, extension: string): string =>
  `${name.replace(/\.[A-Za-z0-9]{1,8}$/, '')}.${extension}`;

const PLAIN_NAME = /^[\w.-]+$/;

/** Latin letters that are not a letter with an accent. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  ẞ: 'SS',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  å: 'a',
  Å: 'A',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'Th',
  ı: 'i',
  ĳ: 'ij',
};

/** Signs that some client cuts at, decodes or refuses in the ASCII form of a name. */
const UNSAFE = /["\\/%?*:<>|]/g;

/**
 * A name in ASCII for clients that read nothing else: accents are left out, and of a name in another script its id and
 * its extension remain.
 */
function asciiName(filename: string, id: string | null): string {
  const [, stem = '', extension = ''] = /^(.*?)(\.[A-Za-z0-9]{1,15})?$/s.exec(filename) ?? [];
  const plain = stem
    .replace(
      /[^\x20-\x7e]/g,
      (letter) => SPELLED[letter] ?? letter.normalize('NFKD').replace(/[^\x20-\x7e]/g, ''),
    )
    .replace(UNSAFE, '_')
    .replace(/ {2,}/g, ' ')
    .trim();
  return `${/[A-Za-z0-9]/.test(plain) ? plain : (id ?? 'file')}${extension}`;
}

/** A `Content-Disposition` (RFC 6266) for content that has this id, if any. */
export function dispositionHeader(
  disposition: 'inline' | 'attachment',
  filename: string | null,
  id: string | null,
): string {
  if (filename === null) return disposition;
  if (PLAIN_NAME.test(filename)) return `${disposition}; filename="${filename}"`;
  const ascii = asciiName(filename, id);
  if (ascii === filename) return `${disposition}; filename="${ascii}"`;
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Whether content of this type may be displayed inline, which means that it cannot run a script (contract §4, §5);
 * everything else is downloaded as unknown bytes.
 */
export const isInlineSafe = (mimeType: string): boolean =>
  /^(video|audio)\//.test(mimeType) || shownBy(mimeType) !== 'nobody';

/** Whether browsers show this type in a viewer of their own, which reaches nothing of the site. */
export const isDocument = (mimeType: string): boolean => mimeType === 'application/pdf';

/** Whether this is the type of texts. All of them are UTF-8, and pages and scripts are texts too: nothing in them runs. */
export const isText = (mimeType: string): boolean => mimeType === 'text/plain';

/** Whether this is the type of drawings, of which only renditions are safe to show: a drawing can have scripts. */
export const isDrawing = (mimeType: string): boolean => mimeType === FORMATS.svg.mimeType;

/** Whether few browsers show pictures of this type. */
export const isRareFormat = (type: string): boolean => formatNamed(type)?.shownBy === 'few';
