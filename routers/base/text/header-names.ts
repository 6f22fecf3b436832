/** Names in headers, in every form and charset that clients and servers write them. */
import { isUtf8 } from 'node:buffer';
import { decodeAs, guessDecoder } from './charset.js';
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
function decodeEncodedWords(value: string): string | null {
  if (!value.startsWith('=?')) return null;
  const words = wordsOf(value);
  const charset = words?.[0]?.charset;
  if (words === null || charset === undefined || words.some((word) => word.charset !== charset)) return null;
  return decodeAs(Buffer.concat(words.map(({ bytes }) => bytes)), charset);
}

/** The value of a header parameter as Latin-1 bytes. */
interface Parameter {
  readonly name: string;
  readonly value: string;
}

const NAME = /[; \t]*([^=;\s"]+)[ \t]*(?:=[ \t]*)?/y;
const QUOTED = /"((?:[^"\\]|\\.)*)"(?=[ \t]*(?:;|$))/y;
/** A client that does not escape: the value ends with the quote in front of the next parameter. */
const UNESCAPED = /"(.*?)"(?=[ \t]*(?:;|$))/y;
const BARE = /[^;]*/y;
/** Each may be searched to the end of the header. */
const MAX_PARAMETERS = 32;

/** The first word of a header and its parameters, in any form that clients write them. */
export function parseHeader(header: string): {
  readonly word: string;
  readonly parameters: readonly Parameter[];
} {
  const word = header.split(';', 1)[0] ?? '';
  const parameters: Parameter[] = [];
  let at = word.length;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(header);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  for (let name = take(NAME); name !== null && parameters.length < MAX_PARAMETERS; name = take(NAME)) {
    const quoted = take(QUOTED);
    const value =
      quoted?.[1]?.replace(/\\(["\\])/g, '$1') ?? take(UNESCAPED)?.[1] ?? take(BARE)?.[0].trim() ?? '';
    parameters.push({ name: (name[1] ?? '').toLowerCase(), value });
  }
  return { word: word.trim().toLowerCase(), parameters };
}

/** A parameter by its name, undecoded; null without one. */
export const parameterOf = (parameters: readonly Parameter[], wanted: string): string | null =>
  parameters.find(({ name }) => name === wanted)?.value ?? null;

/** An RFC 8187 value, quoted or not; null if it is none. */
function decodeExtended(value: string): string | null {
  const [charset, , encoded] = /^([\w-]+)'([^']*)'(.*)$/s.exec(value)?.slice(1) ?? [];
  if (charset === undefined || encoded === undefined) return null;
  return decodeAs(percentDecoded(encoded), charset);
}

/** The name that some bytes are: UTF-8 if they are valid UTF-8, else in the charset that somebody named, or the likeliest. */
export function nameIn(bytes: Buffer, charset: string | null = null): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return (charset === null ? null : decodeAs(bytes, charset)) ?? guessDecoder([bytes], 'windows')(bytes);
}

/** The file name among the parameters of a `Content-Disposition`; null without one, "" for one that is empty. */
export function filenameIn(parameters: readonly Parameter[], charset: string | null = null): string | null {
  const filename = parameterOf(parameters, 'filename');
  return (
    decodeExtended(parameterOf(parameters, 'filename*') ?? '') ??
    decodeEncodedWords(filename ?? '') ??
    (filename === null ? null : nameIn(Buffer.from(filename, 'latin1'), charset))
  );
}

/** The file name that a `Content-Disposition`, given as Latin-1, has for a body; null without one. */
export const dispositionName = (header: string | null | undefined): string | null =>
  (header ? filenameIn(parseHeader(header).parameters) : null) || null;
