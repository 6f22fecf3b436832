import { generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi';
import { z } from 'zod';
import { appRouter } from '../routers/index.js';
import { wireInput } from './openapi-input.js';
import { type Json, type Operation, operationIdOf, type Parameter } from './openapi-operation.js';
import { describePages } from './openapi-pages.js';
import { failure, responsesOf } from './openapi-responses.js';
import type { Credential, Route } from './route.js';

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

/**
 * The OpenAPI 3.1 document of every operation. trpc-to-openapi generates it from the procedures' own schemas;
 * what it cannot know about HTTP (the envelope, statuses, bytes, redirects) is added here.
 */
export function describeApi(
  routes: readonly Route[],
  info: { readonly version: string; readonly baseUrl: string },
): Json {
  const procedures = Object.fromEntries(
    routes.map((route) => [operationIdOf(route.method, route.path), documented(route)]),
  );
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
  // Replaces the generator's own error schemas, which are tRPC's.
  document.components = { securitySchemes: CREDENTIALS };
  Object.assign(document.paths, describePages());
  return document;
}

/** The security scheme of each credential. */
const CREDENTIALS: Readonly<Record<Credential, Json>> = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  session: { type: 'apiKey', in: 'cookie', name: 'session_token' },
  verifyToken: { type: 'apiKey', in: 'cookie', name: 'verify_token' },
  workerToken: { type: 'apiKey', in: 'header', name: 'X-Email-Token' },
};

const BYTES = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };

/** The generator puts the fields of a DELETE into its URL, where a password would get into logs. */
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

/** A form may contain the text as a file. */
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

/** Whether the operation has a password that grants access to the item, not one to be stored. */
function opensByPassword({ method, path }: Route, { parameters = [], requestBody }: Operation): boolean {
  if (!path.includes('{uniqueId}') || !['GET', 'POST'].includes(method)) return false;
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
  operation.responses['429'] ??= failure(429);
}

/** Query parameters that are not part of the procedure's input. */
const queryOf = ({ alsoQuery }: Route): Parameter[] =>
  Object.entries(alsoQuery).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'boolean' },
  }));

/** Removes a body without fields, and marks one without required fields as optional. */
function tellWhetherRequired(operation: Operation): void {
  const schemas = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema);
  if (operation.requestBody === undefined) return;
  if (
    schemas.every((schema) => schema?.type === 'object' && Object.keys(schema.properties ?? {}).length === 0)
  )
    delete operation.requestBody;
  else operation.requestBody.required = schemas.some((schema) => (schema?.required ?? []).length > 0);
}

function documented(route: Route): Documented {
  const { _def } =
    (appRouter._def.procedures as unknown as Record<string, Documented>)[route.procedure] ?? {};
  if (_def === undefined) throw new Error(`${route.method} ${route.path} names no procedure`);
  return {
    _def: {
      ..._def,
      inputs: [wireInput(route, _def.inputs)],
      // Byte streams and redirects are described by `responsesOf`.
      output: route.responds.kind === 'message' ? _def.output : z.object({}),
      meta: {
        openapi: {
          method: route.method,
          path: route.path as `/${string}`,
          operationId: operationIdOf(route.method, route.path),
          summary: route.summary,
          tags: [route.path.split('/')[1] ?? ''],
          contentTypes: [...contentTypes(route.body)] as never,
        },
      },
    },
  };
}
