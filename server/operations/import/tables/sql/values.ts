import { isUtf8 } from 'node:buffer';
import { ImportError } from '../../port.js';
import type { Value } from '../tables.js';
import type { Cursor } from './names.js';

/** A text whose bytes are its characters: bytes if they are no text. */
export function textOf(bytes: string): string | Buffer {
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : buffer;
}

/**
 * The next list of values in parentheses of an INSERT; null at its end, also where an `ON DUPLICATE KEY UPDATE` follows.
 * `escapes` says whether a backslash escapes in quotes.
 */
export function nextRow(cursor: Cursor, escapes: boolean): Value[] | null {
  cursor.match(/,/y);
  if (cursor.match(/\(/y) === null) return null;
  return valuesOf(cursor, escapes);
}

function valuesOf(cursor: Cursor, escapes: boolean): Value[] {
  const values: Value[] = [];
  if (cursor.match(/\)/y) !== null) return values;
  for (;;) {
    values.push(valueAt(cursor, escapes));
    // A type of PostgreSQL, or what CAST and CONVERT make of it.
    cursor.match(/(?:::|AS\b|USING\b|COLLATE\b)[^,()]*(?:\([^()]*\))?/iy);
    const [sign] = cursor.match(/[,)]/y) ?? [];
    if (sign === ')') return values;
    if (sign !== ',') throw unreadable(cursor);
  }
}

const unreadable = ({ sql, at }: Cursor): ImportError =>
  new ImportError(
    `the SQL dump has a value that cannot be read: ${Buffer.from(sql.slice(Math.max(0, at - 20), at + 40), 'latin1').toString('utf8')}`,
  );

function valueAt(cursor: Cursor, escapes: boolean): Value {
  const [, introducer = ''] =
    cursor.match(/(_\w+|[enxb])[ \t\r\n]*(?=')/iy) ?? cursor.match(/(_\w+)[ \t\r\n]+(?=["0])/iy) ?? [];
  const kind = introducer.toLowerCase();
  const [quote] = cursor.match(/['"]/y) ?? [];
  if (quote !== undefined) {
    const bytes = quoted(cursor, quote, escapes || kind === 'e');
    if (kind === 'x') return Buffer.from(bytes, 'hex');
    if (kind === 'b') return Number.parseInt(bytes || '0', 2);
    const text = kind === '_binary' ? Buffer.from(bytes, 'latin1') : textOf(bytes);
    return text instanceof Buffer && isUtf8(text) ? text.toString('utf8') : text;
  }
  const hex = cursor.match(/0x([0-9a-f]+)/iy)?.[1];
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  const [number] = cursor.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/iy) ?? [];
  if (number !== undefined) return Number.isSafeInteger(Number(number)) ? Number(number) : number;
  const [word] = cursor.match(/\w+/y) ?? [];
  if (word === undefined) throw unreadable(cursor);
  if (cursor.match(/\(/y) !== null) return called(word, valuesOf(cursor, escapes), cursor);
  return WORDS.get(word.toLowerCase()) ?? (word.toLowerCase() === 'null' ? null : word);
}

const WORDS: ReadonlyMap<string, Value> = new Map([
  ['true', true],
  ['false', false],
]);

/** What `.dump` of SQLite and programs for MySQL write around values. */
function called(name: string, [first = null, second, third]: readonly Value[], cursor: Cursor): Value {
  switch (name.toLowerCase()) {
    case 'cast':
    case 'convert':
      return first;
    case 'char':
      return String.fromCodePoint(Number(first));
    case 'unhex':
      return Buffer.from(String(first), 'hex');
    case 'replace':
      return String(first).replaceAll(String(second), String(third));
    case 'unistr':
      return String(first).replace(
        /\\(?:(\\)|u?([0-9a-f]{4})|\+([0-9a-f]{6}))/gi,
        (_, slash, four, six) => slash ?? String.fromCodePoint(Number.parseInt(four ?? six, 16)),
      );
    default:
      throw unreadable(cursor);
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' },
  ...{ '0': '\0', Z: '\u001a' },
};

/** The rest of a text in quotes. */
function quoted(cursor: Cursor, quote: string, escapes: boolean): string {
  const { sql } = cursor;
  const sign = escapes ? (quote === "'" ? /['\\]/g : /["\\]/g) : quote === "'" ? /'/g : /"/g;
  const parts: string[] = [];
  for (let from = cursor.at; ; ) {
    sign.lastIndex = from;
    const at = sign.exec(sql)?.index;
    if (at === undefined) throw unreadable(cursor);
    parts.push(sql.slice(from, at));
    const next = sql[at + 1] ?? '';
    if (sql[at] === '\\') parts.push(ESCAPES[next] ?? next);
    else if (next === quote) parts.push(quote);
    else {
      cursor.at = at + 1;
      return parts.join('');
    }
    from = at + 2;
  }
}

/** The values of a line of `COPY … FROM stdin`. */
export const copiedRow = (line: string): Value[] =>
  line
    .split('\t')
    .map((field) =>
      field === '\\N'
        ? null
        : textOf(
            field.replace(/\\(?:([0-7]{1,3})|x([0-9a-f]{1,2})|([\s\S]))/gi, (_, octal, hex, sign) =>
              sign === undefined
                ? String.fromCharCode(
                    octal === undefined ? Number.parseInt(hex, 16) : Number.parseInt(octal, 8),
                  )
                : (COPY_ESCAPES[sign] ?? sign),
            ),
          ),
    );

const COPY_ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};
