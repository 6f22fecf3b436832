import type { ApiReference, FieldView, OperationGroup, OperationView, TypeView } from './apidocs-page.js';

/** A JSON schema, as far as the reference shows it. */
interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses?: Readonly<Record<string, Response>>;
}

/** The part of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** What every answer has; the page says it once. */
const ENVELOPE = 'Envelope';

/** The operations of a document by subject, and the records that they answer, in document order. */
export function referenceOf(document: ApiDocument): ApiReference {
  const groups = groupsOf(document);
  return { groups, records: recordsOf(document, groups) };
}

function groupsOf(document: ApiDocument): OperationGroup[] {
  const groups = new Map<string, OperationView[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = subjectOf(operation.tags?.[0] ?? '');
      groups.set(name, [
        ...(groups.get(name) ?? []),
        viewOf(document, method.toUpperCase(), path, operation),
      ]);
    }
  }
  return [...groups].map(([name, operations]) => ({ name, operations }));
}

/** Operations at the root have no subject of their own. */
const subjectOf = (tag: string): string => (['', 'r', 'status'].includes(tag) ? 'service' : tag);

/** The records that answers consist of, and those that they contain in turn, in alphabetical order. */
function recordsOf({ components }: ApiDocument, groups: readonly OperationGroup[]): ApiReference['records'] {
  const records = new Map<string, readonly FieldView[]>();
  const add = (fields: readonly FieldView[]): void => {
    for (const part of fields.flatMap(({ type }) => type)) {
      if (typeof part === 'string' || records.has(part.record)) continue;
      const own = fieldsOf(components.schemas[part.record]);
      records.set(part.record, own);
      add(own);
    }
  };
  for (const { operations } of groups)
    for (const { responses } of operations) for (const { fields } of responses) add(fields);
  return [...records]
    .map(([name, fields]) => ({ name, fields }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

function viewOf(document: ApiDocument, method: string, path: string, operation: Operation): OperationView {
  const { schemas, responses: shared } = document.components;
  const responses = Object.entries(operation.responses ?? {}).map(
    ([status, response]): [string, Response] => [
      status,
      response.$ref === undefined ? response : (shared[nameIn(response.$ref)] ?? {}),
    ],
  );
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  return {
    id: `${method}-${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    method,
    path,
    summary: operation.summary ?? null,
    needsKey: operation.security?.some((way) => 'apiKey' in way) === true,
    parameters: (operation.parameters ?? []).map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      type: typeOf(parameter.schema),
      required: parameter.required === true,
      about: parameter.description ?? null,
    })),
    body: fieldsOf(body?.$ref === undefined ? body : schemas[nameIn(body.$ref)]),
    responses: responses.map(([status, { description, content }]) => ({
      status,
      about: description ?? '',
      // What a refusal has is said once.
      fields: Number(status) < 300 ? answerOf(content?.['application/json']?.schema) : [],
    })),
  };
}

/** The name of what a reference points to. */
const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/** What an answer has besides the envelope: its `message`, and sometimes fields next to it; or what it is as a whole. */
function answerOf(schema: Schema | undefined): FieldView[] {
  const parts = schema?.allOf ?? (schema === undefined ? [] : [schema]);
  return parts
    .filter(({ $ref }) => $ref === undefined || nameIn($ref) !== ENVELOPE)
    .flatMap((part) =>
      part.properties === undefined
        ? [{ name: 'body', type: typeOf(part), required: true, about: part.description ?? null }]
        : fieldsOf(part),
    );
}

function fieldsOf(schema: Schema | undefined): FieldView[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: schema?.required?.includes(name) === true,
    about: property.description ?? null,
  }));
}

/** A short description of a type: `string or null`, `"a" or "b"`, `list of Image`, `{id: integer}`. */
function typeOf(schema: Schema | undefined): TypeView {
  if (schema === undefined) return ['any'];
  if (schema.$ref !== undefined) return [{ record: nameIn(schema.$ref) }];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum !== undefined) return either(schema.enum.map((value) => [JSON.stringify(value)]));
  if (schema.anyOf !== undefined) return either(schema.anyOf.map(typeOf));
  if (schema.type === 'array') return ['list of ', ...typeOf(schema.items)];
  if (schema.properties !== undefined) return fieldsAsType(schema.properties);
  if (Array.isArray(schema.type)) return either(schema.type.map((one) => [one]));
  return [schema.format === 'binary' ? 'file' : String(schema.format ?? schema.type ?? 'any')];
}

/** The fields of a record without a name of its own. */
function fieldsAsType(properties: Readonly<Record<string, Schema>>): TypeView {
  const fields = Object.entries(properties).map(([name, field]): TypeView => [`${name}: `, ...typeOf(field)]);
  return ['{', ...joined(fields, ', '), '}'];
}

function either(parts: readonly TypeView[]): TypeView {
  const seen = new Map(parts.map((part) => [JSON.stringify(part), part]));
  seen.delete(JSON.stringify(['""']));
  return joined([...seen.values()], ' or ');
}

const joined = (parts: readonly TypeView[], between: string): TypeView =>
  parts.flatMap((part, index) => (index === 0 ? part : [between, ...part]));
