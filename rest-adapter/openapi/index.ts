import { generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { appRouter } from '../../routers/index.js';
import type { Credential, Route } from '../route.js';
import { contentTypes, finishBody } from './bodies.js';
import { wireInput } from './input.js';
import { nameRecords } from './names.js';
import { type Json, type Operation, operationIdOf, type Parameter } from './operation.js';
import { describePages } from './pages.js';
import { type Answered, ENVELOPES, FAILURE_RESPONSES, otherwise, responsesOf } from './responses.js';
import { DECLARED_TAGS, tagOf } from './tags.js';
import { tidy } from './tidy.js';

/** The part of a procedure that the generator reads. */
interface Documented {
  readonly _def: {
    readonly type: string;
    readonly inputs: z.ZodType[];
    readonly output: z.ZodType;
    readonly meta: OpenApiMeta;
  };
}

/**
 * The OpenAPI 3.1 document of every operation. trpc-to-openapi generates it from the procedures' own schemas and those
 * of the routes' answers; what it cannot know about HTTP (the envelope, statuses, bytes, redirects) is added here.
 */
export function describeApi(
  routes: readonly Route[],
  info: { readonly version: string; readonly baseUrl: string },
): Json {
  nameRecords();
  const procedures = Object.fromEntries(
    routes.map((route) => [operationIdOf(route.method, route.path), documented(route)]),
  );
  const generated = generateOpenApiDocument({ _def: { procedures } } as never, {
    title: 'Holdall',
    description:
      'Images, video, text pastes and short links. Every JSON response has the standard envelope. Fields may be added ' +
      'to every answer, so clients must ignore those they do not know.',
    version: info.version,
    baseUrl: info.baseUrl,
  });
  const document = tidy(generated) as {
    paths: Record<string, Record<string, Operation>>;
    components: { readonly schemas?: Json };
    info: Json;
  } & Json;
  const bodies: Json = {};
  for (const route of routes) {
    const operation = document.paths[route.path]?.[route.method.toLowerCase()];
    if (operation === undefined) continue;
    operation.responses = responsesOf(route, answeredIn(operation));
    operation.security = route.credentials
      .flatMap((name) => (name === 'apiKey' ? KEY_WAYS : [name]))
      .map((name) => ({ [name]: [] }));
    finishBody(route, operation);
    if (opensByPassword(route, operation)) offerPassword(operation);
    if (takesRevision(route)) offerRevision(operation);
    operation.parameters = [...(operation.parameters ?? []), ...queryOf(route), ...tusHeadersOf(route)];
    shareBody(operation, bodies);
  }
  // Replaces the generator's own error schemas, which are tRPC's.
  const { schemas = {} } = document.components;
  const records = Object.fromEntries(Object.entries(schemas).filter(([name]) => !name.startsWith('error.')));
  Object.assign(document.paths, describePages());
  Object.assign(document, {
    info: { ...document.info, license: LICENCE },
    tags: DECLARED_TAGS,
    components: {
      schemas: { ...ENVELOPES, ...records, ...bodies },
      responses: referredTo(FAILURE_RESPONSES, JSON.stringify(document.paths)),
      securitySchemes: { ...CREDENTIALS, ...AUTHORIZATION },
    },
  });
  return document;
}

const LICENCE = { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' };

/** The responses that some operation has. */
const referredTo = (responses: Json, paths: string): Json =>
  Object.fromEntries(
    Object.entries(responses).filter(([name]) => paths.includes(`"#/components/responses/${name}"`)),
  );

/** The security scheme of each credential. */
const CREDENTIALS: Readonly<Record<Credential, Json>> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session_token' },
  verifyToken: { type: 'apiKey', in: 'cookie', name: 'verify_token' },
  workerToken: { type: 'apiKey', in: 'header', name: 'X-Email-Token' },
};

/** The other ways to send a key: as a token, or as the password of any user name. */
const AUTHORIZATION = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
} as const;
const KEY_WAYS = ['apiKey', ...Object.keys(AUTHORIZATION)];

/** What the generator made of the schemas of an operation's answers. */
function answeredIn({ responses }: Operation): Answered {
  const success = responses['200'] as
    | { content?: { 'application/json'?: { schema?: Answered } } }
    | undefined;
  return success?.content?.['application/json']?.schema ?? {};
}

/** Makes a component of a body that is the same in several types. */
function shareBody({ operationId, requestBody }: Operation, bodies: Json): void {
  const contents = Object.values(requestBody?.content ?? {});
  const texts = contents.map(({ schema }) => JSON.stringify(schema));
  for (const [index, content] of contents.entries()) {
    const first = texts.indexOf(texts[index] ?? '');
    if (texts.filter((text) => text === texts[index]).length < 2) continue;
    const name = `${String(operationId).replace(/^./, (letter) => letter.toUpperCase())}${first === 0 ? 'Body' : 'Form'}`;
    bodies[name] = JSON.parse(texts[index] ?? '{}');
    content.schema = { $ref: `#/components/schemas/${name}` };
  }
}

/** Whether the operation has a password that grants access to the item, not one to be stored. */
function opensByPassword(
  { method, path, credentials }: Route,
  { parameters = [], requestBody }: Operation,
): boolean {
  if (!path.includes('{uniqueId}') || !['GET', 'POST'].includes(method) || credentials.length > 0)
    return false;
  const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
    Object.keys(schema?.properties ?? {}),
  );
  return [...fields, ...parameters.map(({ name }) => name)].includes('password');
}

/** A header keeps passwords out of histories and logs; wrong passwords are rate limited. */
function offerPassword(operation: Operation): void {
  const description = 'The password of the item; or the parameter or field `password`';
  operation.parameters = [
    ...(operation.parameters ?? []),
    { name: 'X-Password', in: 'header', description, schema: { type: 'string' } },
  ];
  operation.responses['429'] ??= otherwise(429);
}

/** Whether the operation changes an item, and may be meant for one of its revisions. */
const takesRevision = ({ method, errors }: Route): boolean =>
  (method === 'PATCH' || method === 'PUT' || method === 'POST') && errors.includes(412);

function offerRevision(operation: Operation): void {
  const description = 'The `ETag` of the record that the change is for; 412 if it has changed meanwhile';
  operation.parameters = [
    ...(operation.parameters ?? []),
    { name: 'If-Match', in: 'header', description, schema: { type: 'string' } },
  ];
}

/** Query parameters that are not part of the procedure's input. */
const queryOf = ({ alsoQuery }: Route): Parameter[] =>
  Object.entries(alsoQuery).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'boolean' },
  }));

/** Request headers of the protocol of resumable uploads. */
const tusHeadersOf = ({ tus, method }: Route): Parameter[] =>
  (tus ?? []).map((name) => ({
    name,
    in: 'header',
    required: name === 'Tus-Resumable' && method !== 'GET',
    schema: { type: 'string' },
  }));

/** The schema of everything a route answers in JSON. */
function answerOf({ responds, answers }: Route, output: z.ZodType): z.ZodType {
  const message = answers.message ?? (responds.kind === 'message' ? output : null);
  return z.object({
    ...(message === null ? {} : { message }),
    ...answers.beside,
    ...(answers.bare === null ? {} : { bare: answers.bare }),
  });
}

const WAYS: Readonly<Record<Credential, string>> = {
  apiKey: 'an API key',
  session: 'a session',
  verifyToken: 'the cookie `verify_token` of the registration',
  workerToken: 'the token of a mail worker',
};

/** What the summary leaves out: what is required, how a body may be sent, and the procedure that does the work. */
function describe({ summary, credentials, body, procedure, responds }: Route, type: string): string {
  const required = credentials.map((name) => WAYS[name]).join(' or ');
  const sentences = [
    summary,
    credentials.length === 0 ? 'Needs no account' : `Requires ${required}`,
    body === 'none' || body === 'bytes' || body === 'part' || body === 'file'
      ? ''
      : 'Fields may be sent as JSON, urlencoded or as a multipart form',
    body === 'file' ? 'The file is the part `file` of a form, or the whole body' : '',
    responds.types.includes('text/plain') && responds.kind === 'message'
      ? 'With `Accept: text/plain` or where text is asked for, the answer is plain text'
      : '',
    `The same as the tRPC ${type} \`${procedure}\``,
  ];
  return sentences
    .filter((sentence) => sentence !== '')
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

function documented(route: Route): Documented {
  const { _def } =
    (appRouter._def.procedures as unknown as Record<string, Documented>)[route.procedure] ?? {};
  if (_def === undefined) throw new Error(`${route.method} ${route.path} names no procedure`);
  return {
    _def: {
      ..._def,
      inputs: [wireInput(route, _def.inputs)],
      output: answerOf(route, _def.output),
      meta: {
        openapi: {
          method: route.method,
          path: route.path as `/${string}`,
          operationId: operationIdOf(route.method, route.path),
          summary: route.summary,
          description: describe(route, _def.type),
          tags: [tagOf(route.path)],
          contentTypes: [...contentTypes(route.body)] as never,
        },
      },
    },
  };
}
