import type { Body, Draft } from './draft.js';
import type { Entry } from './fields.js';

/** A request as it is sent. */
export interface Request {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** Longer targets may be refused before they are read. */
const LONG_TARGET = 4_000;

const BOUNDARY = 'fuzz-boundary';

/** Encodes a draft whose tokens have been replaced. */
export function write(draft: Draft, credentials: Readonly<Record<string, string>>): Request {
  const { type, bytes } = writeBody(draft.body);
  const given = Object.fromEntries(draft.headers.map(([name, value]) => [name, String(value)]));
  const cookie = [credentials.cookie, given.cookie].filter((part) => part !== undefined).join('; ');
  const input = draft.body.as === 'input' ? [['input', jsonOf(draft.body.entries)] as const] : [];
  const target = `${pathOf(draft)}${queryOf([...draft.query, ...input])}`;
  return {
    // A head that is too long is refused with a body, which a client that sent HEAD does not expect.
    method: draft.method === 'HEAD' && target.length > LONG_TARGET ? 'GET' : draft.method,
    target,
    headers: {
      ...given,
      ...credentials,
      ...(cookie === '' ? {} : { cookie }),
      ...(type === null ? {} : { 'content-type': type }),
      ...(bytes === null ? {} : { 'content-length': String(bytes.length) }),
    },
    body: bytes,
  };
}

/** The request as a shell command; a body that is not text comes from `base64`. */
export function toCurl(origin: string, { method, target, headers, body }: Request): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ['curl', '-i', '--path-as-is', ...(method === 'HEAD' ? ['-I'] : ['-X', method])];
  for (const [name, value] of Object.entries(headers))
    if (name !== 'content-length') parts.push('-H', quote(value === '' ? `${name};` : `${name}: ${value}`));
  if (body !== null) parts.push('--data-binary', '@-');
  const line = [...parts, quote(`${origin}${target}`)].join(' ');
  return body === null ? line : `base64 -d <<< ${body.toString('base64')} | ${line}`;
}

/** Percent-encodes whatever a path part may not contain; lone surrogates become replacement characters. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** A value as text, as in a form. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

function pathOf({ path, params, bare }: Draft): string {
  const values = new Map(params);
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = textOf(values.get(name) ?? 'NOTHING1');
    return bare ? text.replace(/[^\x21-\x7e]|[?#]/g, '') : encode(text);
  });
}

const pairs = (entries: readonly Entry[]): readonly Entry[] =>
  entries.flatMap(([name, value]) =>
    Array.isArray(value) && value.length > 0 && value.length < 100
      ? value.map((one): Entry => [name, one])
      : [[name, value] as const],
  );

const formOf = (entries: readonly Entry[]): string =>
  pairs(entries)
    .map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`)
    .join('&');

const queryOf = (entries: readonly Entry[]): string => (entries.length === 0 ? '' : `?${formOf(entries)}`);

/** JSON of fields, which may repeat and may be called `__proto__`. */
export const jsonOf = (entries: readonly Entry[]): string =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;

function writeBody(body: Body): { readonly type: string | null; readonly bytes: Buffer | null } {
  if (body.as === 'none' || body.as === 'input') return { type: null, bytes: null };
  if (body.as === 'bytes') return { type: body.type, bytes: Buffer.from(body.text) };
  if (body.as === 'json') return { type: 'application/json', bytes: Buffer.from(jsonOf(body.entries)) };
  if (body.as === 'form')
    return { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(formOf(body.entries)) };
  const quoted = (text: string) => text.replace(/["\r\n]/g, (found) => encode(found));
  const parts = pairs(body.entries).map(([name, value]) =>
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${textOf(value)}\r\n`,
    ),
  );
  if (body.file !== null) {
    const { field, name, type, content } = body.file;
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(field)}"; filename="${quoted(name)}"\r\n`;
    parts.push(
      Buffer.from(`${head}${type === '' ? '' : `Content-Type: ${type}\r\n`}\r\n`),
      Buffer.from(content, 'latin1'),
      Buffer.from('\r\n'),
    );
  }
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    bytes: Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  };
}
