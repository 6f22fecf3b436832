import type { IncomingMessage } from 'node:http';
import { fail } from '../../routers/base/errors.js';
import { hasFewParts } from '../../routers/base/text/json-parts.js';
import { MAX_PASTE_LENGTH } from '../../routers/features/paste/text.js';
import { Fields, NO_FIELDS } from '../fields.js';
import type { BodyKind } from '../route.js';
import { formFieldsOf } from './encoded.js';
import type { IncomingBody } from './incoming-body.js';
import { charsetOf } from './part-head.js';
import { textIn } from './text.js';

/** Maximum bytes of a body that contains a text: enough for the longest paste with every character escaped. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;

/** Maximum bytes of a message of a program: enough for a file of 8 MiB in base64. */
const MAX_JSON_BYTES = 12 * 1024 * 1024;

/** Maximum bytes of any other body without files: enough for a full playlist with ids of maximum length. */
export const MAX_FIELDS_BYTES = 256 * 1024;

/** Maximum fields of a form: the longest list, which is that of a collection, has each item in one. */
const MAX_FORM_FIELDS = 10_000;

const LONG: ReadonlySet<BodyKind> = new Set(['text', 'long', 'document', 'source']);
const LIMITS: Partial<Record<BodyKind, number>> = { json: MAX_JSON_BYTES, plain: MAX_PASTE_LENGTH };
/** Maximum bytes of a body without files, by its kind. */
export const limitOf = (kind: BodyKind): number =>
  LIMITS[kind] ?? (LONG.has(kind) ? MAX_TEXT_BYTES : MAX_FIELDS_BYTES);

/** What clients send as JSON instead of an empty body: axios serialises null and "" like this. */
const NOTHING = new Set(['', 'null', '""']);

/** The media type of a request without its parameters, lower case; "" if there is none. */
export const mediaType = (req: IncomingMessage): string =>
  (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/**
 * 415 for a body that a client has compressed, because nothing here would decompress it; 400 for one that is a piece of a
 * file, which would be stored as a file of its own.
 */
export function requirePlainBody({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity') fail('CODING_UNSUPPORTED');
  const isPiece =
    !isWhole(headers['content-range']) ||
    String(headers['upload-complete'] ?? '?1').trim() === '?0' ||
    String(headers['upload-incomplete'] ?? '?0').trim() === '?1';
  if (isPiece)
    fail(
      'INVALID',
      'Send the file in one piece, or in several requests to /image/upload/resumable (tus 1.0.0)',
    );
}

/** Whether a `Content-Range` names all bytes of its file, as clients that cut files do for a small one. */
function isWhole(range: string | undefined): boolean {
  if (range === undefined) return true;
  const [, start, end, size] = /^\s*bytes[ =](\d+)-(\d+)\/(\d+)\s*$/i.exec(range) ?? [];
  return start !== undefined && Number(start) === 0 && Number(end) + 1 === Number(size);
}

/** Reads a body as text; 400 if it is no text in its charset, 413 if it exceeds the limit in bytes. */
export async function readText(incoming: IncomingBody, limit: number): Promise<string> {
  requirePlainBody(incoming.req);
  const body = await readBody(incoming, limit);
  return textIn(body, charsetOf(incoming.req.headers['content-type'] ?? '') ?? wideCharset(body));
}

/** As `readText`, for JSON; also 413 if it has so many parts that others would wait while it is parsed. */
export const readJson = async (incoming: IncomingBody, limit: number): Promise<string> =>
  requireFewParts(await readText(incoming, limit));

/** How a body of fields is read. */
interface FieldsReading {
  /** Fields of a form that are not decoded. */
  readonly asBytes: ReadonlySet<string>;
  /** How many bytes of JSON are taken: it is parsed in one piece, for which others wait. */
  readonly jsonBytes: number;
}

const AS_TEXT: FieldsReading = { asBytes: new Set(), jsonBytes: Infinity };

/** Reads a JSON or urlencoded body into fields; 400 if it is malformed, 413 if it exceeds the limit in bytes. */
export async function readFields(
  incoming: IncomingBody,
  limit: number,
  reading: FieldsReading = AS_TEXT,
): Promise<Fields> {
  return fieldsIn(incoming.req, await readBody(incoming, limit), reading);
}

async function fieldsIn(
  req: IncomingMessage,
  body: Buffer,
  { asBytes, jsonBytes }: FieldsReading,
): Promise<Fields> {
  const charset = charsetOf(req.headers['content-type'] ?? '');
  const type = mediaType(req);
  // Scripts send JSON without a type, and `curl -d` sends it as a form, in which a brace is always encoded.
  const json = type === 'application/json' || type.endsWith('+json') || OPENING_BRACE.test(latin1Start(body));
  if (body.length < 64 && NOTHING.has(body.toString().trim())) return NO_FIELDS;
  if (!json) return formFieldsOf(requireFewFields(body), charset, asBytes);
  if (body.length > jsonBytes) fail('TOO_LARGE');
  // `trim` also removes a byte order mark.
  return parseJson(textIn(body, charset ?? wideCharset(body)).trim());
}

/** Reads a JSON or urlencoded body into fields; null if it is only called so. 413 if it exceeds the limit. */
export async function readForm(incoming: IncomingBody, limit: number): Promise<Fields | null> {
  const body = await readBody(incoming, limit);
  if (!FORM.test(body.toString('latin1')) && !isObject(body)) return null;
  return fieldsIn(incoming.req, body, AS_TEXT);
}

/** Names with values, without anything that a form encodes. */
const FORM = /^(?:[^\s{}=&]{1,200}=[^\s{}]*)?$/;

const isObject = (body: Buffer): boolean => {
  try {
    const value: unknown = JSON.parse(requireFewParts(body.toString()));
    return typeof value === 'object' && !Array.isArray(value);
  } catch {
    return NOTHING.has(body.toString('latin1', 0, 64).trim());
  }
};

/** A brace behind white space and byte order marks, in 8 or 16 bits. */
const OPENING_BRACE = /^[\s\0\xef\xbb\xbf\xff\xfe]*\{/;
const latin1Start = (body: Buffer): string => body.toString('latin1', 0, 1024);

/** JSON begins with two characters of ASCII, so its zeros tell the encoding (RFC 4627); null for 8 bits. */
function wideCharset(body: Buffer): string | null {
  if (body[0] !== 0 && body[1] === 0) return 'utf-16le';
  return body[0] === 0 && body[1] !== 0 ? 'utf-16be' : null;
}

/** Legacy clients send fields as JSON in one form field `body`; merges them over the form's own fields. */
export function unwrapBody(form: Fields, part: string | undefined): Fields {
  const json = part ?? form.raw('body');
  return typeof json === 'string' ? form.over(parseJson(json)) : form;
}

/** Fields of a JSON object; 400 for anything else. */
function parseJson(text: string): Fields {
  requireFewParts(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    fail('INVALID', 'The body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail('INVALID', 'The body must be a JSON object');
  }
  return new Fields(value as Record<string, unknown>);
}

/** 413 for a form with so many fields that others would wait while it is read. */
function requireFewFields(form: Buffer): Buffer {
  let fields = 1;
  for (let at = form.indexOf('&'); at >= 0 && fields <= MAX_FORM_FIELDS; at = form.indexOf('&', at + 1))
    fields += 1;
  if (fields > MAX_FORM_FIELDS) fail('TOO_LARGE');
  return form;
}

function requireFewParts(json: string): string {
  if (!hasFewParts(json)) fail('TOO_LARGE');
  return json;
}

/** Reads a whole body; 413 if it exceeds the limit in bytes. */
async function readBody(incoming: IncomingBody, limit: number): Promise<Buffer> {
  const { req } = incoming;
  const announced = Number(req.headers['content-length'] ?? 0);
  if (announced > limit) fail('TOO_LARGE');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) fail('TOO_LARGE');
    await incoming.keep(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
