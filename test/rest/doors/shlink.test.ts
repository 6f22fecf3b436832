// on both databases
/** Clients of Shlink. */
import * as api from '@shlinkio/shlink-js-sdk';
import * as web from '@shlinkio/shlink-js-sdk/fetch';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type RequestOptions, startServer, type TestAccount, type TestServer } from '../../harness.js';

const test = suite('the door of Shlink');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer();
});
test.before.each(async () => {
  user = await server.account();
});
test.after(() => server.close());

const ask = (operation: string, json?: unknown) => {
  const [method = '', path = ''] = operation.split(' ');
  const options: RequestOptions = { key: user.key, ...(json === undefined ? {} : { json }) };
  return server.request(method, `//rest/v3/${path}`, options);
};

test('a short URL is made, found, changed, counted and deleted', async () => {
  const made = await ask('POST short-urls', {
    ...{ longUrl: 'https://example.com/a', customSlug: 'Sh-1', tags: ['one', 'two'], title: 'A title' },
    ...{ maxVisits: 5, validUntil: '2099-01-01T00:00:00+00:00', validSince: null },
  });
  assert.is(made.status, 200, made.text);
  const { shortCode, meta, tags, title, domain, visitsSummary } = made.body;
  assert.equal([shortCode, title, domain, tags.toSorted()], ['Sh-1', 'A title', null, ['one', 'two']]);
  assert.equal(meta, { validSince: null, validUntil: '2099-01-01T00:00:00+00:00', maxVisits: 5 });
  assert.equal(visitsSummary, { total: 0, nonBots: 0, bots: 0 });
  await server.request('GET', '/url/r/Sh-1');
  const visits = (await ask('GET short-urls/Sh-1/visits')).body.visits;
  assert.equal([visits.data.length, visits.pagination.totalItems], [1, 1]);
  assert.is((await ask('GET short-urls/sh-1')).body.visitsSummary.total, 1);
  const changed = await ask('PATCH short-urls/Sh-1', { title: 'B', maxVisits: null, tags: ['two'] });
  assert.equal(
    [changed.body.title, changed.body.meta.maxVisits, changed.body.tags],
    ['B', null, ['two']],
    changed.text,
  );
  assert.is(changed.body.longUrl, 'https://example.com/a');
  assert.is((await ask('GET visits')).body.visits.nonOrphanVisits.total, 1);
  const stats = (await ask('GET tags/stats')).body.tags.data;
  assert.equal(
    stats.map(({ tag, shortUrlsCount, visitsCount }: Record<string, unknown>) => [
      tag,
      shortUrlsCount,
      visitsCount,
    ]),
    [['two', 1, 1]],
  );
  assert.equal((await ask('GET tags')).body.tags.data, ['two']);
  assert.is((await ask('DELETE short-urls/Sh-1')).status, 204);
  assert.is((await ask('GET short-urls/Sh-1')).status, 404);
});

test('the same short URL is made once if its client asks for that', async () => {
  const make = async (more: object = {}) =>
    (await ask('POST short-urls', { longUrl: 'https://example.com/same', findIfExists: true, ...more })).body
      .shortCode;
  const first = await make();
  assert.is(await make(), first);
  assert.is.not(await make({ findIfExists: false }), first);
});

test('lists are filtered, ordered and paged', async () => {
  for (const [slug, tags] of [
    ['c-1', ['x', 'y']],
    ['a-1', ['x']],
    ['b-1', []],
  ] as const)
    await ask('POST short-urls', { longUrl: `https://example.com/${slug}`, customSlug: slug, tags });
  await server.request('GET', '/url/r/b-1');
  const codes = async (query: string) =>
    (await ask(`GET short-urls?${query}`)).body.shortUrls.data.map(
      ({ shortCode }: { shortCode: string }) => shortCode,
    );
  assert.equal(await codes(''), ['b-1', 'a-1', 'c-1']);
  assert.equal(await codes('orderBy=shortCode-ASC'), ['a-1', 'b-1', 'c-1']);
  assert.equal(await codes('orderBy=longUrl-DESC'), ['c-1', 'b-1', 'a-1']);
  assert.equal((await codes('orderBy=visits-DESC'))[0], 'b-1');
  assert.equal(await codes('tags[]=x&tags[]=y'), ['a-1', 'c-1']);
  assert.equal(await codes('tags[]=x&tags[]=y&tagsMode=all'), ['c-1']);
  assert.equal(await codes('tags[]=none'), []);
  assert.equal(await codes('excludeTags[]=x'), ['b-1']);
  assert.equal(await codes('excludeTags[]=x&excludeTags[]=y&excludeTagsMode=all'), ['b-1', 'a-1']);
  assert.equal(await codes('excludeTags[]=x&excludeTags[]=none&excludeTagsMode=all'), ['b-1', 'a-1', 'c-1']);
  assert.equal(await codes('tags[]=x&excludeTags[]=y'), ['a-1']);
  assert.equal(await codes('page=2&itemsPerPage=2'), ['c-1']);
  const { pagination } = (await ask('GET short-urls?itemsPerPage=2')).body.shortUrls;
  assert.equal([pagination.pagesCount, pagination.totalItems, pagination.itemsInCurrentPage], [2, 3, 2]);
  await ask('PATCH short-urls/b-1', { maxVisits: 1 });
  assert.equal(await codes('excludeMaxVisitsReached=true'), ['a-1', 'c-1']);
});

test('visits are listed by link, tag and domain, in a span, and deleted', async () => {
  for (const [slug, tags] of [
    ['v-1', ['Blue one']],
    ['v-2', []],
  ] as const)
    await ask('POST short-urls', { longUrl: `https://example.com/${slug}`, customSlug: slug, tags });
  const headers = { 'user-agent': 'curl/8.0', referer: 'https://from.example/page' };
  for (const slug of ['v-1', 'v-1', 'v-2']) await server.request('GET', `/url/r/${slug}`, { headers });
  const count = async (path: string) => {
    const answer = await ask(`GET ${path}`);
    assert.is(answer.status, 200, answer.text);
    const { data, pagination } = answer.body.visits;
    assert.is(data.length, pagination.itemsInCurrentPage);
    return [data.length, pagination.totalItems];
  };
  assert.equal(await count('short-urls/v-1/visits'), [2, 2]);
  assert.equal(await count('tags/blue%20one/visits'), [2, 2]);
  assert.equal(await count('tags/none/visits'), [0, 0]);
  assert.equal(await count('domains/DEFAULT/visits'), [3, 3]);
  assert.equal(await count(`domains/${new URL(server.origin).host}/visits`), [3, 3]);
  assert.equal(await count('visits/non-orphan'), [3, 3]);
  assert.equal(await count('visits/non-orphan?itemsPerPage=2&page=2'), [1, 3]);
  assert.equal(await count('visits/orphan'), [0, 0]);
  assert.equal(await count('short-urls/v-1/visits?startDate=2099-01-01T00:00:00%2B00:00'), [0, 0]);
  assert.equal(await count('short-urls/v-1/visits?endDate=2099-01-01&startDate=2020-01-01'), [2, 2]);
  const [visit] = (await ask('GET short-urls/v-2/visits')).body.visits.data;
  assert.equal([visit.potentialBot, visit.referer, visit.userAgent], [true, 'from.example', 'curl/8.0']);
  assert.is(
    JSON.parse((await ask('GET domains/other.example/visits')).text)
      .type.split('/')
      .at(-1),
    'domain-not-found',
  );
  assert.is((await ask('GET visits/non-orphan?startDate=soon')).status, 400);

  const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await server.request('GET', '/url/r/v-1', { headers: person });
  assert.equal(await count('visits/non-orphan?excludeBots=true'), [1, 1]);
  assert.equal(await count('short-urls/v-1/visits?excludeBots=true'), [1, 1]);
  assert.equal(await count('short-urls/v-2/visits?excludeBots=true'), [0, 0]);
  assert.equal(await count('short-urls/v-1/visits?excludeBots=false'), [3, 3]);
  const summary = { total: 3, nonBots: 1, bots: 2 };
  assert.equal((await ask('GET short-urls/v-1')).body.visitsSummary, summary);
  const listed = (await ask('GET short-urls?searchTerm=v-1')).body.shortUrls.data;
  assert.equal(listed[0].visitsSummary, summary);
  assert.equal((await ask('PATCH short-urls/v-1', { title: 'x' })).body.visitsSummary, summary);
  const tags = (await ask('GET tags/stats')).body.tags.data;
  assert.equal(tags[0].visitsSummary, summary);
  const all = (await ask('GET visits')).body.visits.nonOrphanVisits;
  assert.equal(all, { total: 4, nonBots: 1, bots: 3 });

  const other = await server.account();
  const foreign = await server.request('DELETE', '//rest/v3/short-urls/v-1/visits', { key: other.key });
  assert.is(foreign.status, 403);
  assert.equal((await ask('DELETE short-urls/v-1/visits')).body, { deletedVisits: 3 });
  assert.equal(await count('short-urls/v-1/visits'), [0, 0]);
  assert.is((await ask('GET short-urls/v-1')).body.visitsSummary.total, 0);
  assert.equal(await count('visits/non-orphan'), [1, 1]);
  assert.equal((await ask('DELETE visits/orphan')).body, { deletedVisits: 0 });
});

test('tags are renamed and deleted, but not to a name that is there', async () => {
  for (const [slug, tags] of [
    ['t-1', ['one', 'two']],
    ['t-2', ['two', 'three']],
  ] as const)
    await ask('POST short-urls', { longUrl: `https://example.com/${slug}`, customSlug: slug, tags });
  const names = async () => (await ask('GET tags')).body.tags.data.toSorted();
  assert.is((await ask('PUT tags', { oldName: 'one', newName: 'uno' })).status, 204);
  assert.equal(await names(), ['three', 'two', 'uno']);
  assert.is((await ask('PUT tags', { oldName: 'uno', newName: 'Uno' })).status, 204);
  const there = await ask('PUT tags', { oldName: 'uno', newName: 'three' });
  assert.equal([there.status, JSON.parse(there.text).type.split('/').at(-1)], [409, 'tag-conflict']);
  assert.equal((await names()).map((name: string) => name.toLowerCase()).toSorted(), ['three', 'two', 'uno']);
  assert.is((await ask('DELETE tags?tags[]=two&tags[]=none')).status, 204);
  assert.equal((await ask('GET short-urls/t-2')).body.tags, ['three']);
  const unknown = await ask('PUT tags', { oldName: 'none', newName: 'x' });
  assert.equal([unknown.status, JSON.parse(unknown.text).type.split('/').at(-1)], [404, 'tag-not-found']);
  for (const tags of [undefined, 0, {}, [], Array(101).fill('x')])
    assert.is((await ask('DELETE tags', { tags })).status, 400, JSON.stringify(tags));
});

test('redirect rules are set as Shlink writes them, and answered as they were', async () => {
  await ask('POST short-urls', { longUrl: 'https://example.com/d', customSlug: 'r-1' });
  const condition = (type: string, matchValue: string | null, matchKey: string | null = null) => ({
    ...{ type, matchKey, matchValue },
  });
  const redirectRules = [
    {
      longUrl: 'https://example.com/ios',
      conditions: [condition('device', 'ios'), condition('language', 'de')],
    },
    {
      longUrl: 'https://example.com/q',
      conditions: [
        condition('query-param', 'b', 'a'),
        condition('any-value-query-param', null, 'c'),
        condition('geolocation-country-code', 'FR'),
        condition('after-date', '2020-01-01T00:00:00Z'),
      ],
    },
    { longUrl: 'https://example.com/rest', conditions: [] },
  ];
  const set = await ask('POST short-urls/r-1/redirect-rules', { redirectRules });
  assert.is(set.status, 200, set.text);
  const { body } = await ask('GET short-urls/r-1/redirect-rules');
  assert.is(body.defaultLongUrl, 'https://example.com/d');
  const sorted = (list: typeof redirectRules) =>
    list.map(({ longUrl, conditions }) => [longUrl, conditions.map((one) => JSON.stringify(one)).toSorted()]);
  assert.equal(sorted(body.redirectRules), sorted(redirectRules));
  assert.is((await ask('GET short-urls/r-1')).body.hasRedirectRules, true);
  const followed = await server.request('GET', '/url/r/r-1', {
    headers: {
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)',
      'accept-language': 'de',
    },
  });
  assert.is(followed.headers.get('location'), 'https://example.com/ios');
  for (const wrong of [
    [{ longUrl: 'https://example.com', conditions: [condition('ip-address', '1.2.3.4')] }],
    [
      {
        longUrl: 'https://example.com',
        conditions: [condition('device', 'ios'), condition('device', 'linux')],
      },
    ],
    [{ longUrl: 'javascript:1', conditions: [] }],
    [{ conditions: 1 }],
    ['x'],
    Array(21).fill(redirectRules[2]),
    'x',
  ])
    assert.is((await ask('POST short-urls/r-1/redirect-rules', { redirectRules: wrong })).status, 400);
  assert.is((await ask('GET short-urls/r-1/redirect-rules')).body.redirectRules.length, 3);
  await ask('POST short-urls/r-1/redirect-rules', { redirectRules: [] });
  assert.equal((await ask('GET short-urls/r-1/redirect-rules')).body.redirectRules, []);
});

type Body = Awaited<ReturnType<TestServer['request']>>['body'];
/** Its types are written for bundlers only. */
interface Sdk {
  readonly ShlinkApiClient: new (
    http: object,
    at: { readonly baseUrl: string; readonly apiKey: string },
  ) => { readonly [method: string]: (...given: readonly unknown[]) => Promise<Body> };
  readonly FetchHttpClient: new () => object;
}
const { ShlinkApiClient, FetchHttpClient } = { ...api, ...web } as unknown as Sdk;

test('its own SDK works', async () => {
  const client: Body = new ShlinkApiClient(new FetchHttpClient(), {
    baseUrl: server.origin,
    apiKey: user.key,
  });
  const { shortCode } = await client.createShortUrl({
    longUrl: 'https://example.com/sdk',
    tags: ['sdk'],
    title: 'T',
  });
  assert.is((await client.getShortUrl({ shortCode })).title, 'T');
  assert.is((await client.updateShortUrl({ shortCode }, { title: 'U' })).title, 'U');
  assert.is(
    (await client.listShortUrls({ searchTerm: 'sdk', orderBy: { field: 'visits', dir: 'DESC' } })).data
      .length,
    1,
  );
  await server.request('GET', `/url/r/${shortCode}`);
  assert.is((await client.getShortUrlVisits({ shortCode })).data.length, 1);
  assert.is((await client.getTagVisits('sdk')).pagination.totalItems, 1);
  assert.is((await client.getTagVisits('sdk', { excludeBots: true })).pagination.totalItems, 0);
  assert.equal((await client.listShortUrls({ excludeTags: ['sdk'] })).data, []);
  assert.is((await client.getDomainVisits('DEFAULT')).pagination.totalItems, 1);
  assert.is((await client.getNonOrphanVisits()).pagination.totalItems, 1);
  assert.equal((await client.getOrphanVisits()).data, []);
  assert.is((await client.getVisitsOverview()).nonOrphanVisits.total, 1);
  await client.editTag({ oldName: 'sdk', newName: 'kit' });
  assert.equal((await client.listTags()).data, ['kit']);
  assert.is((await client.tagsStats()).data[0]?.shortUrlsCount, 1);
  const redirectRules = [
    {
      longUrl: 'https://example.com/a',
      conditions: [{ type: 'device', matchKey: null, matchValue: 'android' }],
    },
  ];
  await client.setShortUrlRedirectRules({ shortCode }, { redirectRules });
  assert.is((await client.getShortUrlRedirectRules({ shortCode })).redirectRules.length, 1);
  assert.equal(await client.deleteShortUrlVisits({ shortCode }), { deletedVisits: 1 });
  assert.equal(await client.deleteOrphanVisits(), { deletedVisits: 0 });
  await client.deleteTags(['kit']);
  assert.is((await client.listDomains()).data[0]?.isDefault, true);
  assert.is((await client.health()).status, 'pass');
  await client.deleteShortUrl({ shortCode });
  const missing = await client.getShortUrl({ shortCode }).catch((error: unknown) => error);
  assert.match(JSON.stringify(missing), /short-url-not-found/);
});

test('refusals are problem details', async () => {
  for (const [key, type] of [
    ['wrong', 'invalid-api-key'],
    [undefined, 'missing-authentication'],
  ] as const) {
    const answer = await server.request('GET', '//rest/v3/tags', key === undefined ? {} : { key });
    assert.is(answer.status, 401);
    assert.match(JSON.parse(answer.text).type, new RegExp(`/${type}$`));
  }
  await ask('POST short-urls', { longUrl: 'https://example.com', customSlug: 'taken-2' });
  for (const [operation, json, status, type] of [
    ['POST short-urls', { longUrl: 'https://example.com', customSlug: 'taken-2' }, 400, 'non-unique-slug'],
    ['POST short-urls', {}, 400, 'invalid-data'],
    ['GET short-urls/none-2', undefined, 404, 'short-url-not-found'],
    ['POST short-urls/taken-2/redirect-rules', { redirectRules: [{}] }, 400, 'invalid-data'],
    ['GET mercure-info', undefined, 501, 'mercure-not-configured'],
  ] as const) {
    const answer = await ask(operation, json);
    assert.is(answer.status, status, answer.text);
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
    const body = JSON.parse(answer.text);
    assert.equal([body.status, body.type.split('/').at(-1)], [status, type]);
  }
});

test.run();
