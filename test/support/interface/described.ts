import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describeApi } from '../../../rest-adapter/openapi/index.js';
import { API_PREFIX } from '../../../rest-adapter/route.js';
import { routes } from '../../../rest-adapter/routes/index.js';

/** An answer of the REST interface, as far as the OpenAPI document describes it. */
export interface Answered {
  readonly method: string;
  /** As it was requested, with the prefix and the query. */
  readonly target: string;
  readonly status: number;
  /** The `content-type`; null without one. */
  readonly type: string | null;
  readonly text: string;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, Response>>;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Lets nothing pass that the document does not name, although clients must accept fields that are added later. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== 'object' || value === null) return value;
  const schema = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, strict(part)]));
  const parts = Array.isArray(schema.allOf) ? schema.allOf : [];
  for (const part of parts) delete part.unevaluatedProperties;
  const isObject = parts.length > 0 || (schema.type === 'object' && typeof schema.properties === 'object');
  return isObject && schema.additionalProperties === undefined
    ? { ...schema, unevaluatedProperties: false }
    : schema;
}

interface Description {
  readonly ajv: InstanceType<typeof Ajv.default>;
  readonly paths: Paths;
  readonly shared: Readonly<Record<string, Response>>;
  /** Path patterns, those with fewer parameters first. */
  readonly patterns: readonly (readonly [RegExp, string])[];
}

let made: Description | null = null;

function description(): Description {
  if (made !== null) return made;
  const document = JSON.parse(
    JSON.stringify(describeApi(routes, { version: '0', baseUrl: `http://localhost${API_PREFIX}` })),
  );
  const { Envelope, ...schemas } = document.components.schemas;
  const ajv = new Ajv.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // What the envelope surrounds is part of the same object.
  ajv.addSchema({ $id: 'api', components: { schemas: { ...(strict(schemas) as object), Envelope } } });
  const parameters = (path: string): number => path.split('{').length;
  const patterns = Object.keys(document.paths)
    .sort((a, b) => parameters(a) - parameters(b))
    .map((path) => {
      const isDeep = routes.some((route) => route.path === path && route.deep);
      const open = (isDeep ? path.replace(/\{\w+\}$/, '.+') : path).replace(/\{\w+\}/g, '[^/]+');
      return [new RegExp(`^${open}/?$`, 'i'), path] as const;
    });
  made = { ajv, paths: document.paths, shared: document.components.responses, patterns };
  return made;
}

const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(strict(schema)).replaceAll('"#/components', '"api#/components');
  const validator = description().ajv.compile(JSON.parse(text));
  validators.set(schema, validator);
  return validator;
}

/** The operation that a request is about; null for methods and paths that have none, as all outside of the prefix. */
function operationAt(method: string, target: string): Operation | null {
  const path = target.replace(/[?#].*$/s, '');
  if (!path.startsWith(API_PREFIX)) return null;
  const below = path.slice(API_PREFIX.length) || '/';
  const { patterns, paths } = description();
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  for (const [pattern, key] of patterns) {
    const operation = paths[key]?.[name];
    if (operation !== undefined && pattern.test(below)) return operation;
  }
  return null;
}

/** Checking these takes so long that the answers after them would wait; one of each operation is enough. */
const LARGE = 256 * 1024;
const checkedLarge = new Set<Operation>();

/** How an answer differs from the OpenAPI document; null if it does not, or if no operation was meant. */
export function complaintOf({ method, target, status, type, text }: Answered): string | null {
  const operation = operationAt(method, target);
  // A fixed path next to one with a parameter can lack a method.
  if (operation === null || status === 405) return null;
  const { shared } = description();
  const listed = operation.responses[String(status)];
  // A failure of ours is not part of what an operation promises.
  if (listed === undefined) return status >= 500 ? null : complain(operation, `${status} is not described`);
  const response = listed.$ref === undefined ? listed : shared[listed.$ref.replace(/^.*\//, '')];
  if (method === 'HEAD' || text === '') return null;
  const media = (type ?? '').split(';', 1)[0] ?? '';
  const content = response?.content?.[media] ?? response?.content?.['*/*'];
  if (content === undefined) return complain(operation, `${status} as "${media}" is not described`);
  if (media !== 'application/json' || response?.content?.[media] === undefined) return null;
  if (text.length > LARGE) {
    if (checkedLarge.has(operation)) return null;
    checkedLarge.add(operation);
  }
  const valid = validatorOf(content.schema);
  if (valid(JSON.parse(text))) return null;
  const errors = (valid.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath || '/', message, JSON.stringify(params)].join(' '),
  );
  return complain(operation, `${status} differs from its schema: ${errors.slice(0, 5).join('; ')}`);
}

const complain = ({ operationId }: Operation, what: string): string => `${operationId}: ${what}`;
