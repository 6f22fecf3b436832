import { generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { appRouter } from '../routers/index.js';
import type { Credential, Route } from './route.js';

/** Inputs that the adapter fills in from headers and the method; callers never send them. */
const INTERNAL = new Set([
  'transfer',
  'query',
  'prefersPage',
  'head',
  'host',
  'referrer',
  'origin',
  'workerToken',
  'fileName',
  'parts',
  'peek',
]);

/** Inputs that have another name on the wire. */
const WIRE_NAMES: Readonly<Record<string, string>> = {
  imageInfo: 'image_info',
  uploaderInfo: 'uploader_info',
};

const FIELD_TYPES = ['application/json', 'application/x-www-form-urlencoded'] as const;

const contentTypes = (body: Route['body']): readonly string[] => {
  if (body === 'none') return ['application/json'];
  if (body === 'bytes') return ['application/octet-stream'];
  return body === 'file' ? ['multipart/form-data'] : [...FIELD_TYPES, 'multipart/form-data'];
};

/** The part of a procedure that the generator reads. */
interface Documented {
  readonly _def: {
    readonly type: string;
    readonly inputs: z.ZodType[];
    readonly output: z.ZodType;
    readonly meta: OpenApiMeta;
  };
}

type Json = Record<string, unknown>;

/**
 * The OpenAPI 3.1 document of every operation. trpc-to-openapi writes it from the procedures' own schemas; what it
 * cannot know of the wire (the envelope, statuses, bytes, redirects) is put around its answer here.
 */
export function describeApi(
  routes: readonly Route[],
  info: { readonly version: string; readonly baseUrl: string },
): Json {
  const procedures = Object.fromEntries(routes.map((route) => [operationId(route), documented(route)]));
  const document = generateOpenApiDocument({ _def: { procedures } } as never, {
    title: 'Holdall',
    description: 'Images, video, text pastes and short links. Every JSON response has the standard envelope.',
    version: info.version,
    baseUrl: info.baseUrl,
  }) as unknown as { paths: Record<string, Record<string, Operation>>; components: Json };
  for (const route of routes) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    if (operation === undefined) continue;
    operation.responses = responsesOf(route, operation.responses);
    operation.security = route.credentials.map((credential) => ({ [credential]: [] }));
    if (route.method === 'DELETE' && route.body === 'fields') moveIntoBody(operation);
    if (route.body === 'bytes') operation.requestBody = { required: true, content: BYTES };
    if (route.body === 'text') offerFile(operation);
    tellWhetherRequired(operation);
    if (opensByPassword(route, operation)) offerPassword(operation);
    operation.parameters = [...(operation.parameters ?? []), ...queryOf(route)];
  }
  // The generator's own schemas of errors are those of tRPC.
  document.components = { securitySchemes: CREDENTIALS };
  for (const [path, summary] of Object.entries(PAGES))
    document.paths[path] = { get: describePage(path, summary) };
  return document;
}

/** How each credential is described. */
const CREDENTIALS: Readonly<Record<Credential, Json>> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session_token' },
  verifyToken: { type: 'apiKey', in: 'cookie', name: 'verify_token' },
  workerToken: { type: 'apiKey', in: 'header', name: 'X-Email-Token' },
};

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Json;
}

/** An operation as the generator writes it. */
interface Operation extends Json {
  responses: Json;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: BodySchema }> };
}

const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

interface BodySchema {
  type?: unknown;
  readonly properties?: Json;
  readonly required?: readonly string[];
}

/** The generator puts the fields of a DELETE into its address, where a password would reach logs. */
function moveIntoBody(operation: Operation): void {
  const fields = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  if (fields.length === 0) return;
  operation.parameters = operation.parameters?.filter((parameter) => parameter.in !== 'query') ?? [];
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    required: fields.filter((field) => field.required).map((field) => field.name),
  };
  operation.requestBody = { content: Object.fromEntries(FIELD_TYPES.map((type) => [type, { schema }])) };
}

/** A form may bring the text as a file. */
function offerFile({ requestBody }: Operation): void {
  const form = requestBody?.content['multipart/form-data'];
  if (form?.schema === undefined) return;
  const { schema } = form;
  form.schema = {
    ...schema,
    properties: { ...schema.properties, file: { type: 'string', format: 'binary' } },
    required: (schema.required ?? []).filter((name) => name !== 'text'),
  };
}

/** Whether a password of the item lets a caller in, which is not a field to be stored. */
function opensByPassword({ method, path }: Route, { parameters = [], requestBody }: Operation): boolean {
  if (!path.includes('{uniqueId}') || !['GET', 'POST'].includes(method)) return false;
  const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema?.properties ?? {}),
  );
  return [...fields, ...parameters.map(({ name }) => name)].includes('password');
}

/** A header keeps a password out of histories and logs; wrong ones are limited. */
function offerPassword(operation: Operation): void {
  const description = 'The password of the item; or the parameter or field `password`';
  operation.parameters = [
    ...(operation.parameters ?? []),
    { name: 'X-Password', in: 'header', description, schema: { type: 'string' } },
  ];
  operation.responses['429'] ??= failure(429);
}

/** Parameters that the procedure does not know. */
const queryOf = ({ alsoQuery }: Route): Parameter[] =>
  Object.entries(alsoQuery).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'boolean' },
  }));

/** A body without fields is left out, and one without required fields is optional. */
function tellWhetherRequired(operation: Operation): void {
  const schemas = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema);
  if (operation.requestBody === undefined) return;
  if (
    schemas.every((schema) => schema?.type === 'object' && Object.keys(schema.properties ?? {}).length === 0)
  )
    delete operation.requestBody;
  else operation.requestBody.required = schemas.some((schema) => (schema?.required ?? []).length > 0);
}

const camelCase = (method: string, path: string): string =>
  `${method.toLowerCase()}${path.replace(/[{}@]/g, '').replace(/[^A-Za-z0-9]+(\w?)/g, (_, next: string) => next.toUpperCase())}`;

const operationId = (route: Route): string => camelCase(route.method, route.path);

function documented(route: Route): Documented {
  const { _def } =
    (appRouter._def.procedures as unknown as Record<string, Documented>)[route.procedure] ?? {};
  if (_def === undefined) throw new Error(`${route.method} ${route.path} names no procedure`);
  return {
    _def: {
      ..._def,
      inputs: [wireInput(route, _def.inputs)],
      // Streams of bytes and redirects are described by `responsesOf`.
      output: route.responds.kind === 'message' ? _def.output : z.object({}),
      meta: {
        openapi: {
          method: route.method,
          path: route.path as `/${string}`,
          operationId: operationId(route),
          summary: route.summary,
          tags: [route.path.split('/')[1] ?? ''],
          contentTypes: [...contentTypes(route.body)] as never,
        },
      },
    },
  };
}

/** The procedure's input as callers of the route send it. */
function wireInput(route: Route, inputs: readonly z.ZodType[]): z.ZodObject {
  const shape: Record<string, z.ZodType> = Object.assign(
    {},
    ...inputs.map((input) => (input as z.ZodObject).shape),
  );
  const inPath = new Set(Array.from(route.path.matchAll(/\{(\w+)\}/g), (match) => match[1]));
  const wire: Record<string, z.ZodType> = {};
  for (const [name, schema] of Object.entries(shape)) {
    if (INTERNAL.has(name)) continue;
    const simple = route.body === 'none' || inPath.has(name);
    wire[WIRE_NAMES[name] ?? name] = simple ? parameter(schema, inPath.has(name)) : schema;
  }
  for (const name of inPath) if (name !== undefined) wire[name] ??= z.string();
  return z.object(wire);
}

/** A query or path parameter: text, a number or a flag. */
function parameter(schema: z.ZodType, required: boolean): z.ZodType {
  const takes = (value: unknown): boolean => schema.safeParse(value).success;
  const isFlag = takes(true) && !takes('text');
  const isNumber = !isFlag && [0, 1, 10].some(takes) && !takes('text') && !takes('2026-01-31');
  const kind = isFlag ? z.boolean() : isNumber ? z.number() : z.string();
  return !required && takes(undefined) ? kind.optional() : kind;
}

/** The pages of the interface. The server renders them; no route does. */
const PAGES: Readonly<Record<string, string>> = {
  '/web/image-upload': 'A form for uploading images and video',
  '/web/image-render': 'A form that asks which image to open',
  '/web/image-render/{id}': 'The page of an image or video; the file itself where `Accept` prefers images',
  '/web/paste-create': 'A form for a new paste',
  '/web/paste-render/{id}': 'A paste',
  '/web/url-create': 'A form for a new short link',
  '/web/url-render/{id}': 'A short link and its target',
  '/web/site/render/{id}': 'An item of any kind',
};

function describePage(path: string, summary: string): Operation {
  const byId = path.endsWith('{id}');
  return {
    operationId: camelCase('get', path),
    summary,
    tags: ['web'],
    parameters: byId ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] : [],
    responses: { '200': html('A page'), ...(byId ? { '404': html('Not found, as a page') } : {}) },
  };
}

const html = (description: string): Json => ({
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
  413: 'Too large',
  416: 'Range not satisfiable',
  429: 'Too many requests; see Retry-After',
  500: 'Internal error',
  502: 'The other service failed',
  503: 'Busy or temporarily unavailable; see Retry-After',
  507: 'Out of storage space',
};

/** The statuses of a route besides its success: its own, and those that the wire itself may bring. */
function otherStatusesOf({ method, path, body, errors }: Route): readonly number[] {
  const hasBody = body !== 'none';
  const all = new Set(errors);
  // For a malformed body or path.
  if (hasBody || path.includes('{')) all.add(400);
  // For a blocked account, a private item or a request from another site.
  if (all.has(401) || path.includes('{uniqueId}') || method !== 'GET') all.add(403);
  if (hasBody) all.add(408).add(413).add(503);
  // For content that supports ranges.
  if (all.has(416)) all.add(206);
  return [...all].sort((a, b) => a - b);
}

function responsesOf(route: Route, generated: Json): Json {
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
    html: html('A page'),
    redirect: { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } },
  };
  const failures = otherStatusesOf(route).map((code) => [String(code), failure(code)]);
  return { [String(status)]: success[kind], ...Object.fromEntries(failures) };
}

function failure(code: number): Json {
  const description = DESCRIPTIONS[code] ?? 'Failure';
  return code < 400 ? { description } : json(description, envelope({ type: 'string' }, true));
}
