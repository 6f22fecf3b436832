import fc from 'fast-check';
import { describeApi } from '../../rest-adapter/openapi.js';
import type { Row } from '../../rest-adapter/route.js';
import { rows } from '../../rest-adapter/routes/index.js';
import { type Body, bodyOf, type Draft, files, headers, personas } from './draft.js';
import { type Entry, entriesFor, valuesFor } from './fields.js';
import { hostileText } from './hostile.js';
import { inputOf } from './input.js';
import type { Expectation } from './judge.js';
import { type Operation, touchesAccounts } from './operation.js';
import type { Request } from './request.js';
import type { Schema } from './schema.js';

/** What a request is answered that no row takes. */
const UNKNOWN = [400, 403, 404, 405];

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
const api = describeApi(rows, { version: '0', baseUrl: 'http://localhost/v1' }) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>> | undefined>>;
};
const described = ({ method, path }: Row): Described => {
  const found = api.paths[path]?.[method.toLowerCase()];
  if (found === undefined) throw new Error(`${method} ${path} is not described`);
  return found;
};

const FILE_BODIES: readonly Row['body'][] = ['file', 'bytes', 'text', 'mail'];

function draftsOf(row: Row): fc.Arbitrary<Draft> {
  const domain = row.procedure.split('.')[0] ?? '';
  const schema = inputOf(row.procedure);
  const inPath = Array.from(row.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
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
    row.body === 'none' ? fields : fc.oneof({ weight: 5, arbitrary: none }, { weight: 1, arbitrary: fields });
  return fc.record({
    persona: personas,
    method:
      row.method === 'GET' ? fc.constantFrom('GET', 'GET', 'GET', 'GET', 'HEAD') : fc.constant(row.method),
    path: fc.constant(`/v1${row.path}`),
    params,
    bare: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    query: inQuery,
    headers: fc.oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: headers }),
    body: bodiesOf(row, fields),
  });
}

function bodiesOf(row: Row, fields: fc.Arbitrary<readonly Entry[]>): fc.Arbitrary<Body> {
  if (row.body === 'none') return fc.constant<Body>({ as: 'none' });
  if (!FILE_BODIES.includes(row.body)) return bodyOf(fields);
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

const matchers = rows.map((row) => ({
  row,
  pattern: new RegExp(
    `^(?:/v1${row.path.replace(/\{\w+\}/g, '[^/]+')}${row.atRoot ? `|${row.path}` : ''})/?$`,
    'i',
  ),
}));

/** What the row that takes a request documents; it need not be the one that was meant. */
function expect({ method, target, headers: sent }: Request): Expectation {
  const path = target.split('?', 1)[0] ?? '';
  const { row } =
    matchers.find(
      (one) =>
        (one.row.method === method || (method === 'HEAD' && one.row.method === 'GET')) &&
        one.pattern.test(path),
    ) ?? {};
  const statuses = row === undefined ? UNKNOWN : Object.keys(described(row).responses).map(Number);
  const isPage = sent.accept?.includes('text/html') === true || row?.responds.kind === 'html';
  return {
    statuses: new Set(statuses.filter((status) => status !== 500)),
    refusals: isPage ? 'page' : 'envelope',
  };
}

/** Every operation of `/v1` that the document describes. */
export const rowOperations = (): readonly Operation[] =>
  rows.map((row) => ({
    name: `${row.method} ${row.path}`,
    drafts: draftsOf(row),
    expect,
    share: 1,
    touchesAccounts: row.method !== 'GET' && touchesAccounts(row.path),
  }));
