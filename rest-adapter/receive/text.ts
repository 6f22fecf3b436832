import { isUtf8 } from 'node:buffer';
import { fail } from '../../routers/base/errors.js';
import { localizable } from '../../routers/base/language/localizable.js';
import { decodeAs, isCharset } from '../../routers/base/text/charset.js';

/** Encodings recognised by a byte order mark, which Windows shells write. */
const MARKS = [
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
] as const;

const markedAs = (bytes: Buffer): string | null =>
  MARKS.find(([, mark]) => bytes.subarray(0, mark.length).equals(mark))?.[0] ?? null;

/**
 * The text of some bytes: by their byte order mark, the charset that the client names, or as UTF-8. Anything else is
 * refused with 400, because a text must never be stored damaged.
 */
export function textIn(bytes: Buffer, charset: string | null): string {
  const marked = markedAs(bytes);
  const text = marked === null ? null : decodeAs(bytes, marked);
  if (text !== null) return text;
  if (charset === null || charset === '') {
    if (isUtf8(bytes)) return bytes.toString('utf8');
    fail('INVALID', 'The text is not UTF-8. Send it as UTF-8, or name its charset in Content-Type');
  }
  const named = decodeAs(bytes, charset);
  if (named !== null) return named;
  // Many clients name a charset that nobody knows and send UTF-8.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  fail(
    'INVALID',
    isCharset(charset)
      ? localizable('The text is not {charset}, which is the charset it names. Send it as UTF-8', {
          charset: charset.slice(0, 40),
        })
      : localizable('The charset of the text is not known. Send it as UTF-8'),
  );
}
