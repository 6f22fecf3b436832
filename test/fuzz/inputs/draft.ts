import fc from 'fast-check';
import type { Entry } from './fields.js';
import { hostileText, hostileValue } from './hostile.js';

/** Who sends a request. `session` is the holder with a cookie; the last two send invalid credentials. */
const PERSONAS = [
  'nobody',
  'holder',
  'session',
  'stranger',
  'guest',
  'waiting',
  'banned',
  'moderator',
  'admin',
  'owner',
  'badKey',
  'badSession',
] as const;
export type Persona = (typeof PERSONAS)[number];

/** A body before it is encoded. */
export type Body =
  | { readonly as: 'none' }
  /** JSON of the fields in the query parameter `input`, as in tRPC. */
  | { readonly as: 'input'; readonly entries: readonly Entry[] }
  | {
      readonly as: 'json' | 'form' | 'multipart';
      readonly entries: readonly Entry[];
      readonly file: Sent | null;
    }
  | { readonly as: 'bytes'; readonly type: string | null; readonly text: string };

/** A file in a multipart body. */
export interface Sent {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  /** Its bytes in Latin-1. */
  readonly content: string;
}

/** A request that refers to things by tokens: the same draft can be sent at any time, and reduced. */
export interface Draft {
  readonly persona: Persona;
  readonly method: string;
  /** Parameters in braces. */
  readonly path: string;
  readonly params: readonly Entry[];
  /** Parameters go into the path as they are, not encoded. */
  readonly bare: boolean;
  readonly query: readonly Entry[];
  readonly headers: readonly Entry[];
  readonly body: Body;
}

/** Mostly callers with an account: others get no further than the access check. */
export const personas: fc.Arbitrary<Persona> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Persona>('holder') },
  { weight: 4, arbitrary: fc.constantFrom<Persona>('admin', 'owner', 'stranger') },
  { weight: 3, arbitrary: fc.constantFrom<Persona>(...PERSONAS) },
);

const HEADER_VALUES: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json', 'text/html', 'text/plain', 'image/*', '*/*;q=0.1', ''],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=5-2', 'bytes=99999999999999999999-', 'bytes=0-1,2-3', 'items=1'],
  'if-none-match': ['*', '""', 'W/"x"', '"a", "b"'],
  origin: ['null', 'http://localhost:3000', 'https://evil.example'],
  'sec-fetch-site': ['cross-site', 'same-origin'],
  referer: ['https://example.org/x', 'x:', 'https://'],
  'user-agent': ['Mozilla/5.0 (X11; Linux) Firefox/140.0', 'curl/8', ''],
  'x-forwarded-for': ['203.0.113.7', '2001:db8::1', '1.2.3.4, 5.6.7.8', 'unknown', '::ffff:1.2.3.4'],
  cookie: [
    'session_token=',
    'a',
    '=;;=',
    'verify_token=%zz; new_email=%00',
    'mailbox_token=x; oauth_state=x',
  ],
  'content-encoding': ['gzip', 'identity'],
  'x-email-token': ['worker-token', 'x'],
  'accept-language': ['de', '*'],
};

const oneHeader: fc.Arbitrary<Entry> = fc
  .constantFrom(...Object.entries(HEADER_VALUES))
  .chain(([name, values]) =>
    fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: hostileText }).map(
      // The HTTP client refuses values that are invalid in a header, and the server those that are too long.
      (value): Entry => [name, value.replace(/[^\x20-\x7e]/g, '').slice(0, 6000)],
    ),
  );

/** A few request headers. */
export const headers: fc.Arbitrary<readonly Entry[]> = fc.uniqueArray(oneHeader, {
  maxLength: 3,
  selector: ([name]) => name,
});

const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'text/xml',
  ';',
  'x'.repeat(999),
];

/** JSON.parse accepts it, but recursive code would overflow the stack. */
const DEEP = 50_000;

const BROKEN = [
  '',
  '{',
  '{"a":1',
  '[]',
  'null',
  '"x"',
  '1',
  '{"a":1}{',
  '\u0000',
  '{"a":\ud800}',
  '%',
  '&&=',
  '{}',
  `{"text":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
];

/** A body without fields in any form that the server reads. */
export const brokenBody: fc.Arbitrary<Body> = fc.record({
  as: fc.constant('bytes' as const),
  type: fc.constantFrom(null, ...TYPES),
  text: fc.oneof(
    fc.constantFrom(...BROKEN),
    hostileValue.map((value) => JSON.stringify(value)),
  ),
});

const FILES = [
  'plain text',
  '',
  '%PDF-1.4',
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'GIF89a\u0001\u0000',
];

/** A small file of some kind, rarely a real picture: decoding is tested elsewhere. */
export const files: fc.Arbitrary<Sent> = fc.record({
  field: fc.oneof({ weight: 9, arbitrary: fc.constant('file') }, { weight: 1, arbitrary: hostileText }),
  name: fc
    .oneof(fc.constantFrom('a.txt', 'a.jpg', 'a.zip', 'a'), hostileText)
    .map((name) => name.slice(0, 300)),
  type: fc.constantFrom('', 'text/plain', 'image/png', 'video/mp4', 'x'),
  content: fc.oneof(
    fc.constantFrom(...FILES),
    fc.string({ maxLength: 60 }).map((text) => Buffer.from(text).toString('latin1')),
  ),
});

/** Fields as a body in one of the supported encodings. */
export const bodyOf = (
  entries: fc.Arbitrary<readonly Entry[]>,
  file: fc.Arbitrary<Sent | null> = fc.constant(null),
): fc.Arbitrary<Body> => {
  const as = (...kinds: readonly ('json' | 'form' | 'multipart')[]): fc.Arbitrary<Body> =>
    fc.record({ as: fc.constantFrom(...kinds), entries, file });
  return fc.oneof(
    { weight: 6, arbitrary: as('json') },
    { weight: 4, arbitrary: as('form', 'multipart') },
    { weight: 1, arbitrary: brokenBody },
  );
};
