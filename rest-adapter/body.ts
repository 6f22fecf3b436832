import type { IncomingMessage } from 'node:http';
import { fail } from '../routers/errors.js';
import { Fields, fieldsOf, NO_FIELDS } from './fields.js';
import type { IncomingBody } from './incoming-body.js';
import type { BodyKind } from './route.js';

/** The most bytes of a body that carries a text: enough for the longest paste with every character escaped. */
export const TEXT_LIMIT = 8 * 1024 * 1024;

/** The most bytes of any other body without files: enough for a full playlist by the longest ids. */
export const FIELDS_LIMIT = 256 * 1024;

/** The most bytes of a body without files, by what it carries. */
export const limitOf = (kind: BodyKind): number =>
  kind === 'text' || kind === 'long' ? TEXT_LIMIT : FIELDS_LIMIT;

/** What clients send under the type of JSON when they have nothing to send: axios makes these of null and "". */
const NOTHING = new Set(['', 'null', '""']);

/** The media type of a request without its parameters, lower case; "" when there is none. */
export const mediaType = (req: IncomingMessage): string =>
  (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Reads a JSON or urlencoded body into fields; 400 when it is malformed, 413 past the limit in bytes. */
export async function readFields(incoming: IncomingBody, limit: number): Promise<Fields> {
  const text = await readText(incoming, limit);
  // A byte order mark goes with the white space.
  const trimmed = text.trim();
  if (NOTHING.has(trimmed)) return NO_FIELDS;
  const type = mediaType(incoming.req);
  const json = type === 'application/json' || type.endsWith('+json');
  // Scripts send JSON without a type, and `curl -d` under that of a form, in which no brace stands bare.
  return json || trimmed.startsWith('{') ? parseJson(trimmed) : fieldsOf(text);
}

/** The fields that legacy clients put as JSON into one form field `body`, beside those of the form itself. */
export function unwrapBody(form: Fields, part: string | undefined): Fields {
  const json = part ?? form.raw('body');
  return typeof json === 'string' ? form.over(parseJson(json)) : form;
}

/** Fields of a JSON object; 400 for anything else. */
function parseJson(text: string): Fields {
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

/** Reads a body as text; 413 past the limit in bytes. */
export async function readText(incoming: IncomingBody, limit: number): Promise<string> {
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
  return Buffer.concat(chunks).toString('utf8');
}
