import fc from 'fast-check';
import { describeApi } from '../../../rest-adapter/openapi/index.js';
import type { Route } from '../../../rest-adapter/route.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { type Body, bodyOf, type Draft, files, headers, personas } from '../inputs/draft.js';
import { type Entry, entriesFor, valuesFor } from '../inputs/fields.js';
import { hostileText } from '../inputs/hostile.js';
import { inputOf } from '../inputs/input.js';
import type { Request } from '../inputs/request.js';
import type { Schema } from '../inputs/schema.js';
import type { Expectation } from '../judge.js';
import { type Operation, touchesAccounts } from './operation.js';

/** The answers to a request that matches no route. */
const UNKNOWN = [400, 403, 404, 405];

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
const api = describeApi(routes, { version: '0', baseUrl: 'http://localhost/v1' }) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>> | undefined>>;
};
const described = ({ method, path }: Route): Described => {
  const found = api.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found;
};

const FILE_BODIES: readonly Route['body'][] = ['file', 'bytes', 'text', 'mail'];

function draftsOf(route: Route): fc.Arbitrary<Draft> {
  const domain = route.procedure.split('.')[0] ?? '';
  const schema = inputOf(route.procedure);
  const inPath = Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const pick = (keep: (name: string) => boolean): Schema => {
    const properties = Object.entries(schema.properties ?? {}).filter(
      ([name]) => keep(name) && name !== 'file',
    );
    return { ...schema, properties: Object.fromEntries(properties) };
  };
  const params = fc.tuple(
    ...inPath.map((name) => {
      const good = valuesFor(domain, name, schema.properties?.[name] ?? { type: 'string' });
      return fc
        .oneof({ weight: 5, arbitrary: good }, { weight: 1, arbitrary: hostileText })
        .map((value): Entry => [name, value]);
    }),
  );
  const fields = entriesFor(
    domain,
    pick((name) => !inPath.includes(name)),
  );
  const none = fc.constant<readonly Entry[]>([]);
  const inQuery =
    route.body === 'none'
      ? fields
      : fc.oneof({ weight: 5, arbitrary: none }, { weight: 1, arbitrary: fields });
  return fc.record({
    persona: personas,
    method:
      route.method === 'GET'
        ? fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD')
        : fc.constant(route.method),
    path: fc.constant(`/v1${route.path}`),
    params,
    bare: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    query: inQuery,
    headers: fc.oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: headers }),
    body: bodiesOf(route, fields),
  });
}

function bodiesOf(route: Route, fields: fc.Arbitrary<readonly Entry[]>): fc.Arbitrary<Body> {
  if (route.body === 'none') return fc.constant<Body>({ as: 'none' });
  if (!FILE_BODIES.includes(route.body)) return bodyOf(fields);
  const bare = fc.record({
    as: fc.constant('bytes' as const),
    type: fc.constantFrom(null, 'text/plain', 'image/png', 'application/octet-stream'),
    text: hostileText,
  });
  const withFile = fc.record({ as: fc.constant('multipart' as const), entries: fields, file: files });
  return fc.oneof(
    { weight: 5, arbitrary: withFile },
    { weight: 2, arbitrary: bodyOf(fields) },
    { weight: 1, arbitrary: bare },
  );
}

const matchers = routes.map((route) => {
  const path = route.deep ? route.path.replace(/\{\w+\}$/, '.+') : route.path;
  return {
    route,
    pattern: new RegExp(
      `^(?:/v1${path.replace(/\{\w+\}/g, '[^/]+')}${route.atRoot ? `|${route.path}` : ''})/?$`,
      'i',
    ),
  };
});

/** What the route that handles a request documents; it need not be the intended one. */
function expect({ method, target, headers: sent }: Request): Expectation {
  const path = (target.split('?', 1)[0] ?? '').replaceAll('%40', '@');
  const matching = matchers.filter(({ pattern }) => pattern.test(path));
  // A fixed path is never taken for one with a parameter, whatever its methods are.
  const fixed = matching.filter((one) => !one.route.path.includes('{'));
  const wanted = method === 'HEAD' ? 'GET' : method;
  const { route } = (fixed.length > 0 ? fixed : matching).find((one) => one.route.method === wanted) ?? {};
  const statuses = route === undefined ? UNKNOWN : Object.keys(described(route).responses).map(Number);
  const isPage = sent.accept?.includes('text/html') === true;
  return {
    statuses: new Set(statuses.filter((status) => status !== 500 && status !== 507)),
    refusals: isPage ? 'page' : 'envelope',
    textErrors: route?.textErrors,
  };
}

/** Every operation of `/v1` in the OpenAPI document. */
export const routeOperations = (): readonly Operation[] =>
  routes.map((route) => ({
    name: `${route.method} ${route.path}`,
    drafts: draftsOf(route),
    expect,
    share: 1,
    touchesAccounts: route.method !== 'GET' && touchesAccounts(route.path),
  }));
