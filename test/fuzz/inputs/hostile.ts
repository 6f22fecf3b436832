import fc from 'fast-check';

/** Length in characters of the texts that are far too long. */
const LONG = 50_000;

/** Nested arrays, deeper than any legitimate input and less deep than JSON.parse would refuse. */
const deep = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

/** Texts with a special meaning elsewhere, or with none. */
const TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '\u202egnp.exe',
  '\u0301\u0301\u0301',
  '\ufeff',
  'İıßſK',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '\r\nset-cookie: a=b',
  '%',
  '%00',
  '%ff%fe',
  '%2e%2e%2f',
  '../../../../etc/passwd',
  '/',
  '\\',
  '?',
  '#',
  "' OR 1=1 --",
  '_%_',
  '$1',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-Infinity',
  '1e999',
  '-0',
  '0x10',
  '١٢٣',
  '9'.repeat(400),
  '9007199254740993',
  '0000-00-00',
  '2026-02-31',
  '9999-12-31',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00+14:00',
  '275760-09-13',
  '1970-01-01T00:00:00+99:99',
  '8640000000000000',
  '@me',
  '@',
  'a@b',
  'http://',
  'https://[::1]:0/',
  'javascript:alert(1)',
  'data:text/html,x',
  'a'.repeat(LONG),
  '('.repeat(LONG),
  ' '.repeat(LONG),
  'é'.repeat(LONG),
  `${'a.'.repeat(LONG / 2)}@`,
];

const NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  1e21,
  1e308,
  -1e308,
  5e-324,
  8.64e15,
  8.64e15 + 1,
];

const THINGS: readonly unknown[] = [
  null,
  true,
  false,
  [],
  [[]],
  [null],
  ['a', 'a'],
  {},
  { length: -1 },
  { toString: 1 },
  { $gt: '' },
  { '': '' },
  { toJSON: 'x' },
  deep(1000),
  Array(2000).fill('x'),
];

/** A hostile text, or any text at all. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
);

/** Any JSON value. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 2, arbitrary: fc.constantFrom(...THINGS) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** Names of fields that no schema has, some of which reach into objects. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'role', 'id', 'ownerId', 'key', ''),
  fc.constantFrom('page', 'size', 'limit', 'search', 'password', 'raw', 'base64', 'query[0]', 'a[b][c]'),
  hostileText,
);
