import { fail } from '../../routers/base/errors.js';
import { filenameIn, nameIn, parameterOf, parseHeader } from '../../routers/base/text/header-names.js';

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
  const { word, parameters } = parseHeader(headers.get('content-disposition') ?? '');
  const name = parameterOf(parameters, 'name');
  const { word: type, parameters: typed } = parseHeader(headers.get('content-type') ?? '');
  return {
    disposition: word,
    name: name === null ? null : nameIn(Buffer.from(name, 'latin1'), formCharset),
    filename: filenameIn(parameters, formCharset),
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
