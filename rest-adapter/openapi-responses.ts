import type { Json } from './openapi-operation.js';
import type { Route } from './route.js';

/** A response that is a page. */
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
  206: 'The requested part of the content',
  302: 'Redirect to the page or the file',
  304: 'Not modified',
  400: 'Bad request',
  401: 'Missing or invalid key or session',
  403: 'Not allowed',
  404: 'Not found',
  406: 'Not acceptable',
  408: 'The body was sent too slowly',
  412: 'Not the content that If-Match names',
  413: 'Too large',
  415: 'The body has a Content-Encoding',
  416: 'Range not satisfiable',
  429: 'Too many requests; see Retry-After',
  500: 'Internal error',
  502: 'The other service failed',
  503: 'Busy or temporarily unavailable; see Retry-After',
  507: 'Out of storage space',
};

/** The other statuses of a route besides its success: its own, and those of the HTTP layer. */
function otherStatusesOf({ method, path, body, errors }: Route): readonly number[] {
  const hasBody = body !== 'none';
  const all = new Set(errors);
  // For a malformed body or path.
  if (hasBody || path.includes('{')) all.add(400);
  // For a blocked account, a private item or a request from another site.
  if (all.has(401) || path.includes('{uniqueId}') || method !== 'GET') all.add(403);
  if (hasBody) all.add(408).add(413).add(415).add(503);
  // For content that supports ranges.
  if (all.has(416)) all.add(206).add(412);
  return [...all].sort((a, b) => a - b);
}

/** Every response of a route: `generated` is what the generator made of its procedure's output. */
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
    redirect: { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } },
  };
  const failures = otherStatusesOf(route).map((code) => [String(code), failure(code)]);
  return { [String(status)]: success[kind], ...Object.fromEntries(failures) };
}

/** A status that is not a success; those from 400 on have the envelope. */
export function failure(code: number): Json {
  const description = DESCRIPTIONS[code] ?? 'Failure';
  return code < 400 ? { description } : json(description, envelope({ type: 'string' }, true));
}
