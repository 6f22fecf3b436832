import type { Json } from './openapi-operation.js';
import type { Route } from './route.js';

/** An answer that is a page. */
export const html = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

const envelope = (message: unknown, error: boolean): Json => ({
  type: 'object',
  required: ['error', 'timestamp', 'uniqueId', 'count', ...(message === undefined ? [] : ['message'])],
  properties: {
    error: { type: 'boolean', const: error },
    timestamp: { type: 'string', format: 'date-time' },
    uniqueId: { type: ['string', 'null'] },
    count: { type: 'integer' },
    ...(message === undefined ? {} : { message }),
  },
});

const json = (description: string, schema: unknown): Json => ({
  description,
  content: { 'application/json': { schema } },
});

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  206: 'The part of the content that was asked for',
  302: 'Elsewhere: the page or the bytes',
  304: 'Not modified',
  400: 'Bad request',
  401: 'Missing or invalid key or session',
  403: 'Not allowed',
  404: 'Not found',
  406: 'Not acceptable',
  408: 'The body came too slowly',
  413: 'Too large',
  416: 'Range not satisfiable',
  429: 'Too many requests; see Retry-After',
  500: 'Internal error',
  502: 'The other service failed',
  503: 'Busy, or a part is away; see Retry-After',
  507: 'No space is left',
};

/** The statuses of a route besides its success: its own, and those that the wire itself may bring. */
function otherStatusesOf({ method, path, body, errors }: Route): readonly number[] {
  const hasBody = body !== 'none';
  const all = new Set(errors);
  // A malformed body, or a malformed id in the path.
  if (hasBody || path.includes('{')) all.add(400);
  // An account that is shut out, an item that is closed to the caller, or a request from another site.
  if (all.has(401) || path.includes('{uniqueId}') || method !== 'GET') all.add(403);
  if (hasBody) all.add(408).add(413).add(503);
  // What can be asked for in ranges.
  if (all.has(416)) all.add(206);
  return [...all].sort((a, b) => a - b);
}

/** Every answer of a route: `generated` is what the generator made of its procedure's output. */
export function responsesOf(route: Route, generated: Json): Json {
  const { kind, status } = route.responds;
  const schema = (generated['200'] as { content?: { 'application/json'?: { schema?: unknown } } } | undefined)
    ?.content?.['application/json']?.schema;
  const success: Readonly<Record<typeof kind, Json>> = {
    message: json('Success', envelope(schema ?? {}, false)),
    said: json('Success', envelope({ type: 'string' }, false)),
    done: json('Success', envelope(undefined, false)),
    empty: { description: 'Success, without a body' },
    content: {
      description: 'The content',
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    },
    text: { description: 'Text', content: { 'text/plain': { schema: { type: 'string' } } } },
    redirect: { description: 'Elsewhere', headers: { Location: { schema: { type: 'string' } } } },
  };
  const failures = otherStatusesOf(route).map((code) => [String(code), failure(code)]);
  return { [String(status)]: success[kind], ...Object.fromEntries(failures) };
}

/** A status that is no success; those from 400 on carry the envelope. */
export function failure(code: number): Json {
  const description = DESCRIPTIONS[code] ?? 'Failure';
  return code < 400 ? { description } : json(description, envelope({ type: 'string' }, true));
}
