import { decodeAs } from './charset.js';
import { percentDecoded } from './percent.js';

/** An encoded word of RFC 2047. */
const WORD = /=\?([\w.:+-]{1,40})(?:\*[\w-]*)?\?([bq])\?([^?]*)\?=/iy;
const SPACE = /\s*/y;

/** One word, undecoded. */
interface Word {
  readonly charset: string;
  readonly bytes: Buffer;
}

function wordsOf(value: string): readonly Word[] | null {
  const words: Word[] = [];
  for (let at = 0; at < value.length; ) {
    WORD.lastIndex = at;
    const [, charset = '', encoding = '', encoded = ''] = WORD.exec(value) ?? [];
    if (charset === '') return null;
    const bytes =
      encoding.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64')
        : percentDecoded(encoded.replaceAll('_', ' ').replaceAll('%', '%25').replaceAll('=', '%'));
    words.push({ charset: charset.toLowerCase(), bytes });
    SPACE.lastIndex = WORD.lastIndex;
    SPACE.exec(value);
    at = SPACE.lastIndex;
  }
  return words;
}

/**
 * The text of a name that consists of encoded words, as .NET writes the name of a file that is not ASCII; null for any
 * other. A letter may be split between two words of the same charset.
 */
export function decodeEncodedWords(value: string): string | null {
  if (!value.startsWith('=?')) return null;
  const words = wordsOf(value);
  const charset = words?.[0]?.charset;
  if (words === null || charset === undefined || words.some((word) => word.charset !== charset)) return null;
  return decodeAs(Buffer.concat(words.map(({ bytes }) => bytes)), charset);
}
