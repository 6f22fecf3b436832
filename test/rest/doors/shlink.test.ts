// on both databases
/** Clients of Shlink. */
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
  assert.equal(await codes('page=2&itemsPerPage=2'), ['c-1']);
  const { pagination } = (await ask('GET short-urls?itemsPerPage=2')).body.shortUrls;
  assert.equal([pagination.pagesCount, pagination.totalItems, pagination.itemsInCurrentPage], [2, 3, 2]);
  await ask('PATCH short-urls/b-1', { maxVisits: 1 });
  assert.equal(await codes('excludeMaxVisitsReached=true'), ['a-1', 'c-1']);
});

test('refusals are problem details', async () => {
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
