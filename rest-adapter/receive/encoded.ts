import { guessDecoder } from '../../routers/base/text/charset.js';
import { nameIn } from '../../routers/base/text/header-names.js';
import { formDecoded, formDecodedInTurns } from '../../routers/base/text/percent.js';
import { Fields, NO_FIELDS, NO_FLAGS } from '../fields.js';
import { textIn } from './text.js';

/** Fields of a query string (with or without `?`); the first value of a repeated name wins. */
export function fieldsOf(encoded: string): Fields {
  if (encoded === '' || encoded === '?') return NO_FIELDS;
  const plain = wellDecoded(encoded);
  if (plain !== null) return collect(plain, flagsOf(encoded));
  const raw = rawPairs(encoded.replace(/^\?/, ''));
  const decode = guessDecoder(raw.flat(), 'windows');
  return collect(
    raw.map(([name, value]) => [decode(name), decode(value)]),
    flagsOf(encoded),
  );
}

/**
 * Fields of an urlencoded body, by the charset that its field `_charset_` or its type names, or UTF-8; 400 if a value
 * is no text in it. The values of the names in `asBytes` stay bytes, whatever they are. A long body is decoded in
 * itself, in pieces, between which others take their turns.
 */
export async function formFieldsOf(
  body: Buffer,
  typeCharset: string | null,
  asBytes: ReadonlySet<string> = new Set(),
): Promise<Fields> {
  const parts = partsOf(body);
  const named = parts.find(([name]) => name === '_charset_')?.[1]?.toString('latin1');
  const charset = named !== undefined && /^[\w:.-]+$/.test(named) ? named : typeCharset;
  const flags = new Set(parts.flatMap(([name, value]) => (value === null ? [name] : [])));
  const pairs: Pair[] = [];
  for (const [encodedName, encodedValue] of parts) {
    const name = textIn(formDecoded(encodedName), charset);
    const value = await formDecodedInTurns(encodedValue ?? NOTHING);
    if (asBytes.has(name)) pairs.push([name, value]);
    else pairs.push([name, NAME_FIELDS.has(name) ? nameIn(value, charset) : textIn(value, charset)]);
  }
  return collect(pairs, flags);
}

const [AND, EQUALS] = ['&', '='];
const NOTHING = Buffer.alloc(0);

/** The names and values of an urlencoded body, as they are encoded; the value is null without `=`. */
function partsOf(body: Buffer): (readonly [name: string, value: Buffer | null])[] {
  const parts: (readonly [string, Buffer | null])[] = [];
  for (let from = 0; from < body.length; ) {
    const found = body.indexOf(AND, from);
    const part = body.subarray(from, found < 0 ? body.length : found);
    from += part.length + 1;
    if (part.length === 0) continue;
    const equals = part.indexOf(EQUALS);
    parts.push(
      equals < 0
        ? [part.toString('latin1'), null]
        : [part.toString('latin1', 0, equals), part.subarray(equals + 1)],
    );
  }
  return parts;
}

/** Fields with the name of a file: it is guessed, and not refused as a text would be that may be damaged. */
export const NAME_FIELDS: ReadonlySet<string> = new Set(['filename', 'fileName']);

type Pair = readonly [name: string, value: string | Buffer];

/** The pairs of an encoded text in ASCII; null if a value may not be UTF-8. */
function wellDecoded(encoded: string): readonly (readonly [string, string])[] | null {
  const pairs = [...new URLSearchParams(encoded)];
  return pairs.some(([name, value]) => name.includes('\ufffd') || value.includes('\ufffd')) ? null : pairs;
}

/** The bytes of the names and values of an encoded Latin-1 text. */
const rawPairs = (encoded: string): (readonly [Buffer, Buffer])[] =>
  encoded
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      return equals < 0
        ? [formDecoded(part), NOTHING]
        : [formDecoded(part.slice(0, equals)), formDecoded(part.slice(equals + 1))];
    });

function collect(pairs: Iterable<Pair>, flags: ReadonlySet<string>): Fields {
  const values: Record<string, unknown> = Object.create(null);
  const lists = new Map<string, string[]>();
  for (const [given, value] of pairs) {
    const name = given.endsWith('[]') ? given.slice(0, -2) : given;
    const first = values[name];
    if (first === undefined) values[name] = value;
    const known = lists.get(name);
    // Only the first of several is bytes.
    const text = String(value);
    if (known !== undefined) known.push(text);
    else if (first !== undefined) lists.set(name, [String(first), text]);
    else if (name !== given) lists.set(name, [text]);
  }
  return new Fields(values, lists, flags);
}

/** The names without `=`: `?base64&raw`. */
function flagsOf(encoded: string): ReadonlySet<string> {
  const bare = encoded
    .replace(/^\?/, '')
    .split('&')
    .filter((part) => part !== '' && !part.includes('='));
  return bare.length === 0 ? NO_FLAGS : new Set(bare);
}
