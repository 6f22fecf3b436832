import { PART_TYPE } from '../receive/incoming-part.js';
import type { Route } from '../route.js';
import type { BodySchema, Json, Operation } from './operation.js';

const FORMS = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const;

/** The types in which a route takes its fields. */
const FIELD_TYPES = ['application/json', FORMS[0]] as const;

/** The content types of a request body, as the generator needs them. */
export function contentTypes(body: Route['body']): readonly string[] {
  if (body === 'none') return ['application/json'];
  if (body === 'bytes' || body === 'part') return ['application/octet-stream'];
  return body === 'file' ? ['multipart/form-data'] : [...FIELD_TYPES, 'multipart/form-data'];
}

const FILE = { type: 'string', format: 'binary' };
const PART = { [PART_TYPE]: { schema: FILE } };
/** A text of any type, or a form with one as a file. */
const DOCUMENT = {
  'text/csv': { schema: { type: 'string' } },
  'application/json': { schema: { type: 'array', items: { type: 'object' } } },
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: FILE }, required: ['file'] },
  },
} as const;
const PLAIN = { 'text/plain': { schema: { type: 'string' } } };
const BYTES = { 'application/octet-stream': { schema: FILE } };

/** Completes the request body of an operation with what its procedure's schema cannot say. */
export function finishBody(route: Route, operation: Operation): void {
  if (route.method === 'DELETE' && route.body === 'fields') moveIntoBody(operation);
  if (route.body === 'document') operation.requestBody = { required: true, content: DOCUMENT };
  if (route.body === 'plain') operation.requestBody = { required: true, content: PLAIN };
  if (route.body === 'bytes') operation.requestBody = { required: true, content: BYTES };
  if (route.body === 'part') operation.requestBody = { required: route.method === 'PATCH', content: PART };
  const { requestBody } = operation;
  if (requestBody === undefined || route.body === 'part') return;
  nameNewId(requestBody.content);
  for (const type of FORMS) {
    const form = requestBody.content[type];
    if (form?.schema !== undefined) form.schema = asForm(form.schema);
  }
  if (route.body === 'text') offerFile(requestBody.content);
  describeRequired(operation);
}

/** The id that an item gets is `uniqueId` in the body, as at its creation; the one in the path names the item. */
function nameNewId(content: NonNullable<Operation['requestBody']>['content']): void {
  for (const body of Object.values(content)) {
    const { newId, ...others } = body.schema?.properties ?? {};
    if (body.schema !== undefined && newId !== undefined)
      body.schema = { ...body.schema, properties: { uniqueId: newId, ...others } };
  }
}

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

/** A form has no null, and a field that may be text or a number is text. */
const asForm = (schema: BodySchema): BodySchema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, asField(field)]),
  ),
});

function asField(field: Json): Json {
  const { anyOf, ...rest } = field;
  if (Array.isArray(rest.type)) {
    const [first, ...more] = rest.type.filter((type) => type !== 'null');
    return more.length === 0 ? { ...rest, type: first } : rest;
  }
  if (!Array.isArray(anyOf)) return rest;
  const kinds = (anyOf as Json[]).filter(({ type }) => type !== 'null');
  const texts = kinds.filter(({ type }) => type === 'string');
  const left = texts.length > 0 && texts.length < kinds.length ? texts : kinds;
  return left.length === 1 ? { ...rest, ...left[0] } : { ...rest, anyOf: left };
}

/** A form may contain the text as a file. */
function offerFile(content: NonNullable<Operation['requestBody']>['content']): void {
  const form = content['multipart/form-data'];
  if (form?.schema === undefined) return;
  const { schema } = form;
  form.schema = {
    ...schema,
    properties: { ...schema.properties, file: FILE },
    required: (schema.required ?? []).filter((name) => name !== 'text'),
  };
}

/** Removes a body without fields, and marks one without required fields as optional. */
function describeRequired(operation: Operation): void {
  const schemas = Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema);
  if (operation.requestBody === undefined) return;
  if (
    schemas.every((schema) => schema?.type === 'object' && Object.keys(schema.properties ?? {}).length === 0)
  )
    delete operation.requestBody;
  else operation.requestBody.required = schemas.some((schema) => (schema?.required ?? []).length > 0);
}
