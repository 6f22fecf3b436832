import { describeApi } from '../../../rest-adapter/openapi/index.js';
import { routes } from '../../../rest-adapter/routes/index.js';
import { inputOf, isQuery, PROCEDURES } from '../../fuzz/inputs/input.js';
import type { Schema } from '../../fuzz/inputs/schema.js';

/** Names of things to ask for, by kind; `''` is any other. */
export type Things = Readonly<Record<string, string | number>>;

/** The ids of all files in the account's largest collection. */
export type Files = readonly string[];

/** A request that costs as much as its caller can make it. */
export interface WorstRequest {
  readonly name: string;
  /** GET unless said otherwise. */
  readonly method?: string;
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: string;
}

/** Which thing a field names, depending on the domain that it is sent to. */
function thingFor(domain: string, field: string, things: Things): string | number | undefined {
  if (field === 'uniqueId' || field === 'identifier' || field === 'imageUid')
    return things[domain] ?? things[field] ?? things.url;
  return things[field];
}

/** The value of a field that makes most work: the largest list, the longest search, everything included. */
function worstOf(domain: string, field: string, schema: Schema, things: Things): unknown {
  const thing = thingFor(domain, field, things);
  if (thing !== undefined) return thing;
  const chosen = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const type = Array.isArray(chosen.type) ? chosen.type[0] : chosen.type;
  if (chosen.enum !== undefined) return chosen.enum.at(-1);
  if (type === 'boolean') return field !== 'head';
  if (type === 'integer' || type === 'number')
    return /size|limit/i.test(field) ? Math.min(chosen.maximum ?? 1_000, 1_000) : 0;
  // Every position of the stored texts begins like it.
  if (/search/i.test(field)) return `${'a'.repeat(199)}b`;
  return undefined;
}

/** The fields of an input with the worst values. */
const inputFor = (name: string, things: Things): Record<string, unknown> => {
  const domain = name.split('.')[0] ?? '';
  const fields = Object.entries(inputOf(name).properties ?? {}).map(
    ([field, schema]) => [field, worstOf(domain, field, schema, things)] as const,
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
};

/** Every procedure that reads, many times in one batch. */
const batches = (calls: number, things: Things): WorstRequest[] =>
  PROCEDURES.filter(isQuery).map((name) => {
    const inputs = Object.fromEntries(Array.from({ length: calls }, (_, at) => [at, inputFor(name, things)]));
    const names = Array.from({ length: calls }, () => name).join(',');
    const path = `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
    return { name: `${calls} × ${name}`, path };
  });

interface Described {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
}

/**
 * Every route that reads, with everything that its description offers. Statistics end in the middle of a day, which is
 * counted item by item.
 */
function gets(given: Things): WorstRequest[] {
  const things = { ...given, toDate: new Date().toISOString() };
  const { paths } = describeApi(routes, { version: '0', baseUrl: 'http://localhost/v1' }) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>> | undefined>>;
  };
  return routes
    .filter(({ method }) => method === 'GET')
    .map(({ path, procedure }) => {
      const domain = procedure.split('.')[0] ?? '';
      const { parameters = [] } = paths[path]?.get ?? {};
      const query = new URLSearchParams();
      for (const { name, in: where, schema } of parameters) {
        const value = where === 'query' ? worstOf(domain, name, schema, things) : undefined;
        if (value !== undefined) query.set(name, String(value));
      }
      const named = path.replace(/\{(\w+)\}/g, (_, field: string) =>
        encodeURIComponent(String(thingFor(domain, field, things) ?? 'none')),
      );
      return { name: `GET ${path}`, path: `/v1${named}?${query}` };
    });
}

/** The pages with lists and long texts. */
const pages = (things: Things): WorstRequest[] =>
  [
    `/web/pastes?search=${'a'.repeat(199)}b`,
    `/web/library?search=${'a'.repeat(199)}b`,
    `/web/links?search=${'a'.repeat(199)}b`,
    `/web/links/${things.url}`,
    `/web/paste-render/${things.paste}`,
    `/web/collection/${things.playlist}`,
    `/web/collection/${things.collection}`,
    `/web/collections/${things.collection}`,
    `/web/share/${things.secret}`,
    `/web/mailboxes/${things.email}/message?id=${encodeURIComponent(String(things.messageId))}`,
    `/web/mailboxes/${things.email}/text?id=${encodeURIComponent(String(things.messageId))}`,
  ].map((path) => ({ name: path.slice(0, 60), path }));

/** Changes of as much as one request can change. */
function changes(things: Things, files: Files): WorstRequest[] {
  const items = files.map((uniqueId) => ({ uniqueId }));
  const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
  const made: [method: string, path: string, body: object][] = [
    ['PUT', `/v1/collection/${things.collection}/items`, { items: items.toReversed() }],
    ['PUT', `/v1/collection/${things.collection}/items`, { items }],
    ['PATCH', `/v1/collection/${things.collection}`, { tags, title: 'large' }],
    ['POST', '/v1/collection', { title: 'another', items, tags }],
    [
      'POST',
      '/trpc/library.changeMany',
      { kind: 'image', ids: files.slice(0, 100), private: true, tag: 'a' },
    ],
    ['POST', '/v1/paste/create', { text: '<'.repeat(1024 * 1024) }],
  ];
  return made.map(([method, path, body]) => ({
    ...{ name: `${method} ${path} of ${files.length}`, method, path },
    body: JSON.stringify(body),
  }));
}

/** The worst request for every procedure, route and large page. New operations are included by themselves. */
export function worstRequests(calls: number, things: Things, files: Files): readonly WorstRequest[] {
  const read = [...gets(things), ...pages(things)];
  const asked = read.map(({ name, path }) => ({
    ...{ name: `HEAD ${name.replace('GET ', '')}`, method: 'HEAD', path },
  }));
  return [...batches(calls, things), ...read, ...asked, ...changes(things, files)];
}
