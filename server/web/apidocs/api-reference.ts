import type { OperationGroup, OperationView } from './apidocs-page.js';

/** A JSON schema, as far as the reference shows it. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
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
  readonly responses?: Readonly<Record<string, { readonly description?: string }>>;
}

/** The part of an OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The operations of a document by subject, in document order. */
export function groupsOf(document: ApiDocument): OperationGroup[] {
  const groups = new Map<string, OperationView[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = subjectOf(operation.tags?.[0] ?? '');
      groups.set(name, [...(groups.get(name) ?? []), viewOf(method.toUpperCase(), path, operation)]);
    }
  }
  return [...groups].map(([name, operations]) => ({ name, operations }));
}

/** Operations at the root have no subject of their own. */
const subjectOf = (tag: string): string => (['', 'r', 'status'].includes(tag) ? 'service' : tag);

function viewOf(method: string, path: string, operation: Operation): OperationView {
  const responses = Object.entries(operation.responses ?? {});
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
    body: fieldsOf(Object.values(operation.requestBody?.content ?? {})[0]?.schema),
    responses: responses.map(([status, { description }]) => ({ status, about: description ?? '' })),
  };
}

function fieldsOf(schema: Schema | undefined): OperationView['body'] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    type: typeOf(property),
    required: schema?.required?.includes(name) === true,
    about: property.description ?? null,
  }));
}

/** A short description of a type: `string or null`, `"a" or "b"`, `list of string`. */
function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return 'any';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return either(schema.enum.map((value) => JSON.stringify(value)));
  if (schema.anyOf !== undefined) return either(schema.anyOf.map(typeOf));
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  if (Array.isArray(schema.type)) return either(schema.type);
  return schema.format === 'binary' ? 'file' : String(schema.format ?? schema.type ?? 'any');
}

const either = (parts: readonly string[]): string =>
  [...new Set(parts)].filter((part) => part !== '""').join(' or ');
