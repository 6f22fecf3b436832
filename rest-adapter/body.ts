import type { IncomingMessage } from 'node:http';
import { fail } from '../routers/errors.js';
import { Fields, fieldsOf, NO_FIELDS } from './fields.js';
import type { IncomingBody } from './incoming-body.js';
import type { BodyKind } from './route.js';

/** Maximum bytes of a body that contains a text: enough for the longest paste with every character escaped. */
export const TEXT_LIMIT = 8 * 1024 * 1024;

/** Maximum bytes of any other body without files: enough for a full playlist with ids of maximum length. */
export const FIELDS_LIMIT = 256 * 1024;

/** Maximum bytes of a body without files, by its kind. */
export const limitOf = (kind: BodyKind): number =>
  kind === 'text' || kind === 'long' ? TEXT_LIMIT : FIELDS_LIMIT;

/** What clients send as JSON instead of an empty body: axios serialises null and "" like this. */
const NOTHING = new Set(['', 'null', '""']);

/** The media type of a request without its parameters, lower case; "" if there is none. */
export const mediaType = (req: IncomingMessage): string =>
  (req.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Reads a JSON or urlencoded body into fields; 400 if it is malformed, 413 if it exceeds the limit in bytes. */
export async function readFields(incoming: IncomingBody, limit: number): Promise<Fields> {
  const text = await readText(incoming, limit);
  // `trim` also removes a byte order mark.
  const trimmed = text.trim();
  if (NOTHING.has(trimmed)) return NO_FIELDS;
  const type = mediaType(incoming.req);
  const json = type === 'application/json' || type.endsWith('+json');
  // Scripts send JSON without a type, and `curl -d` sends it as a form, in which a brace is always encoded.
  return json || trimmed.startsWith('{') ? parseJson(trimmed) : fieldsOf(text);
}

/** Legacy clients send fields as JSON in one form field `body`; merges them over the form's own fields. */
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

/** Reads a body as text; 413 if it exceeds the limit in bytes. */
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
