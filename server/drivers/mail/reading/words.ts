import { isUtf8 } from 'node:buffer';
import libmime from 'libmime';
import { decodeAs, guessDecoder } from '../../../../routers/base/text/charset.js';
import { oldDecoder } from './old-charsets.js';

const guess = (bytes: Buffer): string => guessDecoder([bytes], 'windows')(bytes);

/** Names of ASCII and of nothing in particular, under which senders put anything. */
const UNNAMED = /^(?:us-?ascii|ascii|ansi_x3\.4-19[68]+|unknown(?:-8bit)?|x-unknown|default|8bit|binary)$/i;

/**
 * The text of some bytes in a charset of mail, which are those of iconv; null names none. Bytes of an unknown charset
 * are read as UTF-8 if they can be, and guessed otherwise: a letter that is wrong is better than a mail that is lost.
 */
export function textOfBytes(bytes: Buffer, charset: string | null): string {
  const name = charset?.trim() ?? '';
  if (name === '' || UNNAMED.test(name)) return isUtf8(bytes) ? withoutMark(bytes.toString()) : guess(bytes);
  if (/^(?:x-)?utf-?8$/i.test(name)) return withoutMark(bytes.toString());
  const old = oldDecoder(name);
  if (old !== null) return old(bytes);
  if (libmime.createDecodeStream(name).supported)
    return withoutMark(libmime.decodeWord(name, 'B', bytes.toString('base64')));
  return decodeAs(bytes, name) ?? (isUtf8(bytes) ? bytes.toString() : guess(bytes));
}

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** The text of a header as it was sent: UTF-8 (RFC 6532), or bytes of a charset that nobody names. */
export function textOfHeader(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : guess(bytes);
}

/** An encoded word of RFC 2047. Spaces inside are wrong and common. */
const WORD = /=\?[\w'*:.+-]{1,80}\?[bq]\?[^?\r\n]{0,4000}\?=/gi;

/** Replaces encoded words by their text; words that were split in the middle of a letter are joined. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  try {
    // `decodeWords` knows no spaces inside of words.
    const words = text.replace(WORD, (word) => known(word.includes(' ') ? word.replaceAll(' ', '_') : word));
    return libmime.decodeWords(words);
  } catch {
    return text;
  }
}

/** A word in a charset that the library does not know as one that it knows. */
function known(word: string): string {
  const [, charset = '', encoding = '', encoded = ''] = word.split('?');
  const decode = oldDecoder(charset.split('*')[0] ?? '');
  if (decode === null) return word;
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(encoded, 'base64')
      : Buffer.from(unquoted(encoded.replaceAll('_', ' ')), 'latin1');
  return `=?utf-8?B?${Buffer.from(decode(bytes)).toString('base64')}?=`;
}

const unquoted = (text: string): string =>
  text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/**
 * Calls `read` with a text whose encoded words are replaced by letters that stand for nothing else, and a function that
 * puts the words back, decoded: what is inside of a word is no separator, escaped or not.
 */
export function withWordsAside<T>(
  text: string,
  read: (aside: string, back: (part: string) => string) => T,
): T {
  const words: string[] = [];
  const aside = text.replace(WORD, (word) => {
    words.push(word);
    return `\u{f0000}${words.length - 1}\u{f0001}`;
  });
  return read(aside, (part) =>
    decodeWords(part.replace(/\u{f0000}(\d+)\u{f0001}/gu, (_, index) => words[Number(index)] ?? '')),
  );
}

/** The extension of files of this type, without a dot; `bin` if nobody knows one. */
export const extensionOf = (contentType: string): string =>
  EXTENSIONS[contentType] ?? libmime.detectExtension(contentType);

/** Types for which the table of the library has another extension than people expect. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'message/rfc822': 'eml',
  'message/global': 'eml',
  'text/plain': 'txt',
  'text/calendar': 'ics',
  'image/jpeg': 'jpg',
  'image/tiff': 'tif',
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'application/pkcs7-signature': 'p7s',
  'application/x-pkcs7-signature': 'p7s',
  'application/pkcs7-mime': 'p7m',
  'application/pgp-signature': 'asc',
  'application/pgp-encrypted': 'asc',
  'application/octet-stream': 'bin',
};
