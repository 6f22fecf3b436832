import { isUtf8 } from 'node:buffer';
import { fail } from '../../routers/errors.js';
import { decodeAs, guessDecoder } from '../../routers/text/charset.js';
import { decodeEncodedWords } from './encoded-words.js';
import { percentDecoded } from './percent.js';

/** What the headers of one part of a form say. */
export interface PartHead {
  /** Lower case; `form-data` in every real form. */
  readonly disposition: string;
  readonly name: string | null;
  /** Null without one; "" is what browsers send for a file field that was left empty. */
  readonly filename: string | null;
  /** Its media type without parameters, lower case; null without one. */
  readonly type: string | null;
  readonly charset: string | null;
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
function parseHeader(header: string): { readonly word: string; readonly parameters: readonly Parameter[] } {
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

const parameterOf = (parameters: readonly Parameter[], wanted: string): string | null =>
  parameters.find(({ name }) => name === wanted)?.value ?? null;

/** An RFC 8187 value, quoted or not; null if it is none. */
function decodeExtended(value: string): string | null {
  const [charset, , encoded] = /^([\w-]+)'([^']*)'(.*)$/s.exec(value)?.slice(1) ?? [];
  if (charset === undefined || encoded === undefined) return null;
  return decodeAs(percentDecoded(encoded), charset);
}

/** The boundary of a multipart type: quoted or not, with signs that would have to be quoted; null without one. */
export function boundaryOf(contentType: string): string | null {
  const value = parameterOf(parseHeader(contentType).parameters, 'boundary');
  return value === null || value === '' || value.length > 256 ? null : value;
}

/** The charset that a media type names; null without one. */
export const charsetOf = (contentType: string): string | null =>
  parameterOf(parseHeader(contentType).parameters, 'charset') || null;

/** Reads the headers of a part, given as Latin-1; names are decoded by the form's charset, or guessed. */
export function readPartHead(lines: string, formCharset: string | null): PartHead {
  const headers = new Map<string, string>();
  for (const line of lines.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) fail('INVALID', 'The form is not valid multipart: a part has a malformed header');
    const name = line.slice(0, colon).trim().toLowerCase();
    if (!headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
  }
  const decode = (raw: string | null): string | null => {
    if (raw === null) return null;
    const bytes = Buffer.from(raw, 'latin1');
    if (isUtf8(bytes)) return bytes.toString('utf8');
    return (
      (formCharset === null ? null : decodeAs(bytes, formCharset)) ?? guessDecoder([bytes], 'windows')(bytes)
    );
  };
  const { word, parameters } = parseHeader(headers.get('content-disposition') ?? '');
  const filename = parameterOf(parameters, 'filename');
  const { word: type, parameters: typed } = parseHeader(headers.get('content-type') ?? '');
  return {
    disposition: word,
    name: decode(parameterOf(parameters, 'name')),
    filename:
      decodeExtended(parameterOf(parameters, 'filename*') ?? '') ??
      decodeEncodedWords(filename ?? '') ??
      decode(filename),
    type: /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : null,
    charset: parameterOf(typed, 'charset') || null,
  };
}

const quoted = (text: string): string =>
  `"${text
    .toWellFormed()
    .replace(/\p{Cc}/gu, '')
    .replace(/["\\]/g, '\\$&')}"`;

/** Writes the headers of a part in the one form that every parser reads alike. */
export function writePartHead({ disposition, name, filename, type }: PartHead): Buffer {
  const parameters = [
    ...(name === null ? [] : [`; name=${quoted(name)}`]),
    ...(filename === null ? [] : [`; filename=${quoted(filename)}`]),
  ].join('');
  return Buffer.from(
    `\r\nContent-Disposition: ${disposition}${parameters}\r\n${type === null ? '' : `Content-Type: ${type}\r\n`}\r\n`,
  );
}
