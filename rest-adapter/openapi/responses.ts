import type { Route } from '../route.js';
import type { Json } from './operation.js';

/** A response that is a page. */
export const html = (description: string): Json => ({
  description,
  content: { 'text/html': { schema: { type: 'string' } } },
});

const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

const timestamp = { type: 'string', format: 'date-time' };
const uniqueId = { type: ['string', 'null'], description: 'The id of the item that was created or fetched' };
const count = { type: 'integer', minimum: 0, description: 'The number of items if `message` is a list' };

/** The envelope of every response, as components. */
export const ENVELOPES = {
  Envelope: {
    type: 'object',
    description: 'What every success has; most also have a `message`',
    required: ['error', 'timestamp', 'uniqueId', 'count'],
    properties: { error: { type: 'boolean', const: false }, timestamp, uniqueId, count },
  },
  Failure: {
    type: 'object',
    description: 'Every failure; `message` says what to do, in words for people',
    required: ['error', 'timestamp', 'uniqueId', 'message', 'count'],
    properties: {
      error: { type: 'boolean', const: true },
      timestamp,
      uniqueId,
      message: { type: 'string' },
      count,
    },
  },
  TextFailure: {
    type: 'object',
    description: 'A failure as pages of separate front ends read it: `error` is the text',
    required: ['error', 'timestamp', 'uniqueId', 'message', 'count'],
    properties: {
      error: { type: 'string' },
      timestamp,
      uniqueId,
      message: { type: 'string' },
      count,
    },
  },
} as const;

/** The statuses besides successes, under the names of their components. */
const FAILURES: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'Bad request'],
  401: ['Unauthorized', 'Missing or invalid key or session'],
  403: ['Forbidden', 'Not allowed'],
  404: ['NotFound', 'Not found'],
  405: ['MethodNotAllowed', 'Not with this method; see Allow'],
  406: ['NotAcceptable', 'Not acceptable'],
  408: ['TooSlow', 'The body was sent too slowly'],
  409: [
    'Conflict',
    'In conflict with what there is, as an upload that continues elsewhere; in a demo, what would send or fetch',
  ],
  412: ['PreconditionFailed', 'Not the content that If-Match names'],
  413: ['TooLarge', 'Too large'],
  415: ['UnsupportedType', 'The body has a Content-Encoding, or a type that is not taken here'],
  416: ['RangeNotSatisfiable', 'Range not satisfiable'],
  423: ['Locked', 'Another request is sending to the same upload'],
  429: ['TooManyRequests', 'Too many requests; see Retry-After'],
  460: ['ChecksumMismatch', 'The bytes do not match their checksum'],
  500: ['InternalError', 'Internal error'],
  501: ['NotImplemented', 'Not available on this server'],
  502: ['OtherServiceFailed', 'The other service failed'],
  503: ['Unavailable', 'Busy or temporarily unavailable; see Retry-After'],
  507: ['NoSpace', 'Out of storage space'],
};

/** Every failure as a component. */
export const FAILURE_RESPONSES: Json = Object.fromEntries(
  Object.values(FAILURES).map(([name, description]) => [
    name,
    { description, content: { 'application/json': { schema: schemaRef('Failure') } } },
  ]),
);

const BINARY = { '*/*': { schema: { type: 'string', format: 'binary' } } };
const location = { Location: { required: true, schema: { type: 'string' } } };

/** Statuses besides the success that are not failures. */
const OTHERS: Readonly<Record<number, Json>> = {
  204: { description: 'Nothing new' },
  206: { description: 'The requested part of the content', content: BINARY },
  302: { description: 'Redirect to the page or the file', headers: location },
  304: { description: 'Not modified' },
};

/** A status that is not the success of its route; `text` for failures that some callers get as text. */
export function otherwise(code: number, text = false): Json {
  const failure = FAILURES[code];
  if (failure !== undefined && text) {
    const schema = { oneOf: [schemaRef('Failure'), schemaRef('TextFailure')] };
    return { description: failure[1], content: { 'application/json': { schema } } };
  }
  if (failure !== undefined) return { $ref: `#/components/responses/${failure[0]}` };
  const other = OTHERS[code];
  if (other === undefined) throw new Error(`the status ${code} has no description`);
  return other;
}

/** The other statuses of a route besides its success: its own, and those of the HTTP layer. */
function otherStatusesOf({ method, path, body, errors, responds }: Route): readonly number[] {
  const hasBody = body !== 'none';
  const all = new Set(errors);
  // For a malformed body or path.
  if (hasBody || path.includes('{')) all.add(400);
  // For a blocked account, a private item or a request from another site.
  if (all.has(401) || path.includes('{uniqueId}') || method !== 'GET') all.add(403);
  if (hasBody) all.add(408).add(413).add(415).add(503).add(507);
  // For content that supports ranges.
  if (all.has(416)) all.add(206).add(412);
  all.delete(responds.status);
  return [...all].sort((a, b) => a - b);
}

/** A generated object schema; `message`, fields beside it and `bare` are what `Answers` declares. */
export interface Answered {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** The body of a success in JSON: the envelope around the message, or what some callers get without it. */
function successSchema({ properties = {}, required = [] }: Answered): Json {
  const { bare, ...fields } = properties;
  const envelope = {
    allOf: [
      schemaRef('Envelope'),
      { type: 'object', properties: fields, required: required.filter((name) => name !== 'bare') },
    ],
  };
  return bare === undefined ? envelope : { oneOf: [envelope, bare] };
}

/** The body of a failure that has what stands beside the message of the success. */
function failureSchema({ properties = {}, required = [] }: Answered): Json {
  const { message: _message, bare: _bare, ...beside } = properties;
  const { Failure } = ENVELOPES;
  return {
    type: 'object',
    properties: { ...Failure.properties, ...beside },
    required: [...new Set([...Failure.required, ...required.filter((name) => name in beside)])],
  };
}

/** Every response of a route: `answered` is what the generator made of the schemas of its answers. */
export function responsesOf(route: Route, answered: Answered): Json {
  const { kind, status, types, failing } = route.responds;
  const json = (schema: Json): Json => ({ 'application/json': { schema } });
  const localizable = Object.keys(answered.properties ?? {}).length > 0;
  const textTypes = types.length > 0 ? types : ['text/plain'];
  const success: Readonly<Record<typeof kind, Json>> = {
    message: { description: 'Success', content: { ...json(successSchema(answered)), ...texts(types) } },
    said: {
      description: 'Success',
      content: json(
        successSchema({
          properties: { message: { type: 'string' }, ...answered.properties },
          required: ['message', ...(answered.required ?? [])],
        }),
      ),
    },
    flat: { description: 'Success', content: json(successSchema(answered)) },
    done: { description: 'Success', content: json(schemaRef('Envelope')) },
    empty: { description: 'Success, without a body' },
    content: {
      description: 'The content',
      content: { ...(localizable ? json(successSchema(answered)) : {}), ...texts(types), ...BINARY },
    },
    text: { description: 'Text', content: texts(textTypes) },
    redirect: { description: 'Redirect', headers: location },
  };
  const others = otherStatusesOf(route).map((code) => [String(code), otherwise(code, route.textErrors)]);
  const failures = failing.map((code) => [
    String(code),
    { description: 'A failure with the fields of the success', content: json(failureSchema(answered)) },
  ]);
  return { [String(status)]: success[kind], ...Object.fromEntries([...others, ...failures]) };
}

/** Bodies that are text; those in JSON have no schema of ours. */
const texts = (types: readonly string[]): Json =>
  Object.fromEntries(
    types.map((type) => [type, { schema: { type: type === 'application/json' ? 'object' : 'string' } }]),
  );
