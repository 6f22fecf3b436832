import fc from 'fast-check';
import type { Entrance } from '../../../rest-adapter/doors/door.js';
import { DOORS } from '../../../rest-adapter/doors/index.js';
import { TOOLS } from '../../../rest-adapter/doors/mcp/tools.js';
import { DOOR_NAMES, type DoorName } from '../../../rest-adapter/doors/names.js';
import { type Body, bodyOf, type Draft, files, headers, personas } from '../inputs/draft.js';
import { type Entry, entriesFor, valuesFor } from '../inputs/fields.js';
import { hostileText, hostileValue } from '../inputs/hostile.js';
import { inputOf } from '../inputs/input.js';
import type { Schema } from '../inputs/schema.js';
import type { Expectation } from '../judge.js';
import { type Operation, touchesAccounts } from './operation.js';

/** What the forms of other products have besides the fields of procedures, with values that mean something there. */
const FIELDS: Readonly<Record<DoorName, Readonly<Record<string, readonly unknown[]>>>> = {
  lsky: {
    permission: [0, 1, '0'],
    expired_at: ['2099-01-31 10:00:00', 'soon'],
    keyword: ['a'],
    page: [1, 0],
  },
  yourls: {
    action: ['shorturl', 'expand', 'url-stats', 'stats', 'db-stats', 'version', 'constructor'],
    url: ['https://example.org/'],
    ...{
      keyword: ['a-b'],
      title: ['A title'],
      shorturl: ['«url.mine»'],
      format: ['json', 'jsonp', 'xml', 'simple'],
    },
    ...{ callback: ['a.b[0]', '<'], filter: ['top', 'rand'], limit: [5, -1], signature: ['x'] },
  },
  curl: {
    ...{
      url: ['https://example.org/'],
      oneshot_url: ['https://example.org/'],
      remote: ['http://127.0.0.1:1/'],
    },
    ...{ expires: ['24', 1_900_000_000_000, 'soon'], token: ['«deletion»', 'x'], delete: [''] },
  },
  imgur: {
    ...{ image: ['aGVsbG8=', 'http://127.0.0.1:1/'], type: ['base64', 'url', 'file'], title: ['A title'] },
    ...{ description: ['Words'], name: ['a.png'] },
  },
  chevereto: {
    ...{ source: ['aGVsbG8=', 'http://127.0.0.1:1/'], format: ['json', 'txt', 'redirect'], key: ['x'] },
    expiration: ['PT5M', 'P1D', 'P', 'P9999Y'],
  },
  picgo: { list: [['http://127.0.0.1:1/'], ['/home/a.png'], 'x', []] },
  mailpit: {
    ...{
      IDs: [[], ['1'], ['x'], 'x', [1]],
      Read: [true, 'x'],
      Search: ['is:unread'],
      start: [0, 5, -1],
      limit: [1, 0],
    },
    query: ['from:a -b "c d" is:unread has:attachment', 'before:2026-01-01', 'after:x', '"', ':', '-'],
  },
  shlink: {
    ...{
      longUrl: ['https://example.org/', 'x'],
      customSlug: ['a-b'],
      validSince: ['2026-01-01T00:00:00+00:00', null],
    },
    ...{
      validUntil: ['2099-01-01', null],
      maxVisits: [5, null, -1],
      findIfExists: [true],
      title: ['T', null],
    },
    ...{
      tags: [['a'], 'a'],
      oldName: ['a'],
      newName: ['b'],
      startDate: ['2026-01-01', 'x'],
      endDate: ['2026-01-01'],
    },
    ...{ page: [1, 0, 'x'], itemsPerPage: [-1, 5], orderBy: ['title-ASC', 'x-y'], searchTerm: ['a'] },
    ...{ excludeBots: ['true', 'x'], excludeTags: [['a'], 'a'], excludeTagsMode: ['all', 'x'] },
    ...{ domain: ['DEFAULT', 'none.example'], forwardQuery: [false] },
    redirectRules: [
      [],
      [
        {
          longUrl: 'https://example.org/',
          conditions: [{ type: 'device', matchKey: null, matchValue: 'ios' }],
        },
      ],
      [{ longUrl: 'x', conditions: [{ type: '__proto__' }, null] }],
      'x',
    ],
  },
  mcp: {},
};

/** In the forms of other products, and never a failure of ours. Shlink says 501 of what it is asked for by its own clients. */
const expectation: Expectation = {
  statuses: new Set([
    ...[
      200, 202, 204, 206, 301, 302, 304, 400, 401, 403, 404, 405, 406, 409, 410, 412, 413, 415, 416, 422, 429,
    ],
    501,
  ]),
  refusals: 'any',
};

/** A message to the door for agents. */
const messages: fc.Arbitrary<readonly Entry[]> = fc
  .oneof(
    fc.constantFrom(...TOOLS).chain(({ name, procedure }) =>
      entriesFor(procedure.split('.')[0] ?? '', inputOf(procedure)).map((entries) => ({
        ...{ method: 'tools/call', params: { name, arguments: Object.fromEntries(entries) } },
      })),
    ),
    fc.record({
      method: fc.constantFrom('tools/list', 'initialize', 'ping', 'server/discover', 'x'),
      params: fc.oneof(fc.constant({}), hostileValue),
    }),
  )
  .map(({ method, params }): readonly Entry[] => [
    ...([
      ['jsonrpc', '2.0'],
      ['id', 1],
      ['method', method],
      ['params', params],
    ] as const),
  ]);

const pathOf = ({ path }: Entrance): string => path.replace('+}', '}');

function draftsOf(door: DoorName, entrance: Entrance): fc.Arbitrary<Draft> {
  const domain = entrance.procedures[0]?.split('.')[0] ?? '';
  const own = Object.entries(FIELDS[door]);
  const properties: Record<string, Schema> = Object.assign(
    {},
    ...(door === 'mcp' ? [] : entrance.procedures.map((procedure) => inputOf(procedure).properties ?? {})),
  );
  delete properties.file;
  const usual = entriesFor(domain, { type: 'object', properties });
  const special = fc
    .tuple(
      ...own.map(([name, values]) =>
        fc.option(
          fc
            .oneof(
              { weight: 5, arbitrary: fc.constantFrom(...values) },
              { weight: 1, arbitrary: hostileValue },
            )
            .map((value): Entry => [name, value]),
          { freq: 2 },
        ),
      ),
    )
    .map((entries) => entries.filter((entry) => entry !== null));
  const entries =
    door === 'mcp'
      ? messages
      : fc.oneof(
          { weight: 3, arbitrary: special },
          { weight: 1, arbitrary: usual },
          { weight: 1, arbitrary: fc.tuple(special, usual).map(([one, other]) => [...one, ...other]) },
        );
  const path = pathOf(entrance);
  const params = fc.tuple(
    ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) =>
      fc
        .oneof(
          { weight: 4, arbitrary: valuesFor(domain, 'uniqueId', { type: 'string' }) },
          { weight: 1, arbitrary: fc.constantFrom('latest', '1', '0', 'DEFAULT') },
          { weight: 1, arbitrary: hostileText },
        )
        .map((value): Entry => [name, value]),
    ),
  );
  const isRead = entrance.method === 'GET';
  const none = fc.constant<readonly Entry[]>([]);
  return fc.record({
    persona: personas,
    method: fc.constant(entrance.method),
    path: fc.constant(path),
    params,
    bare: fc.integer({ min: 0, max: 9 }).map((die) => die === 0),
    query: isRead ? entries : fc.oneof({ weight: 4, arbitrary: none }, { weight: 1, arbitrary: entries }),
    headers: fc.oneof({ weight: 2, arbitrary: none }, { weight: 1, arbitrary: headers }),
    body: isRead ? fc.constant<Body>({ as: 'none' }) : bodiesOf(entrance, entries),
  });
}

function bodiesOf({ body }: Entrance, entries: fc.Arbitrary<readonly Entry[]>): fc.Arbitrary<Body> {
  if (body === 'fields' || body === 'json') return bodyOf(entries);
  const bare = fc.record({
    as: fc.constant('bytes' as const),
    type: fc.constantFrom(null, 'text/plain', 'image/png'),
    text: hostileText,
  });
  return fc.oneof(
    { weight: 4, arbitrary: bodyOf(entries, fc.option(files)) },
    { weight: 2, arbitrary: bare },
  );
}

/** Every entrance of every door. */
export const doorOperations = (): readonly Operation[] =>
  DOOR_NAMES.flatMap((door) =>
    DOORS[door].entrances.map((entrance) => ({
      name: `${entrance.method} ${entrance.path} of ${door}`,
      drafts: draftsOf(door, entrance),
      expect: () => expectation,
      share: 1,
      touchesAccounts: touchesAccounts(entrance.path) || entrance.path.includes('token'),
    })),
  );
