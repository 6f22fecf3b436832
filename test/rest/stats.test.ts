// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { lapse } from '../support/stores/lapse.js';

const DAY = 86_400_000;
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** `YYYY-MM-DD` of that many days ago. */
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

interface Given {
  server: TestServer;
  user: TestAccount;
}

/** Creates an item; returns its id. */
async function make(server: TestServer, kind: 'image' | 'paste' | 'url', key: string): Promise<string> {
  const answer =
    kind === 'image'
      ? await server.request('POST', '/image/upload', { key, form: fileForm(PNG, 'a.png') })
      : await server.request('POST', `/${kind}/create`, {
          key,
          json: kind === 'paste' ? { text: 'hello' } : { url: 'https://example.org/' },
        });
  assert.is(answer.status, 200, answer.text);
  return answer.body.uniqueId;
}

function withServer(name: string, env: Record<string, string> = {}) {
  const test = suite<Given>(name);
  test.before(async (given) => {
    given.server = await startServer(env);
    given.user = await given.server.account();
  });
  test.after(({ server }) => server.close());
  return test;
}

const own = withServer('POST /stats/all');

own('answers 401 without a key', async ({ server }) => {
  const answer = await server.request('POST', '/stats/all', { json: {} });
  assert.is(answer.status, 401);
  assert.is(answer.body.error, true);
});

own('counts what the caller made, in the last seven days by default', async ({ server, user }) => {
  await make(server, 'image', user.key);
  await make(server, 'image', user.key);
  await make(server, 'paste', user.key);
  await make(server, 'url', user.key);
  await make(server, 'image', server.owner.key);
  for (const json of [{}, undefined, null, '']) {
    const answer = await server.request('POST', '/stats/all', { key: user.key, json });
    assert.is(answer.status, 200);
    assert.is(answer.body.uniqueId, String(user.id));
    assert.equal(answer.body.message, {
      totalImages: 2,
      imagesPerDay: [{ first: daysAgo(0), second: 2 }],
      pastesPerDay: [{ first: daysAgo(0), second: 1 }],
      urlsPerDay: [{ first: daysAgo(0), second: 1 }],
    });
  }
});

own('a start that is tomorrow in UTC but today for the caller is the whole range', async (given) => {
  const { server, user } = given;
  const json = { fromDate: daysAgo(-1), fillMissing: true };
  const { status, body } = await server.request('POST', '/stats/all', { key: user.key, json });
  assert.is(status, 200);
  assert.equal(body.message.imagesPerDay, [{ first: daysAgo(-1), second: 0 }]);
  const paste = await server.request('GET', `/paste/stats?fromDate=${daysAgo(-1)}`);
  assert.equal([paste.status, paste.body.message.total_pastes], [200, 0]);
});

own('fills missing days in all three series, both ends included', async ({ server, user }) => {
  const { body } = await server.request('POST', '/stats/all', {
    key: user.key,
    json: { fromDate: daysAgo(3), toDate: daysAgo(-1), fillMissing: 'true' },
  });
  const days = [3, 2, 1, 0, -1].map(daysAgo);
  for (const series of ['imagesPerDay', 'pastesPerDay', 'urlsPerDay']) {
    assert.equal(
      body.message[series].map(({ first }: { first: string }) => first),
      days,
    );
  }
  assert.equal(
    body.message.imagesPerDay.map(({ second }: { second: number }) => second),
    [0, 0, 0, 2, 0],
  );
});

own('a range with an end only is seven days long', async ({ server, user }) => {
  const { body } = await server.request('POST', '/stats/all', {
    key: user.key,
    json: { toDate: daysAgo(10), fillMissing: true },
  });
  assert.equal(
    body.message.pastesPerDay.map(({ first }: { first: string }) => first),
    [16, 15, 14, 13, 12, 11, 10].map(daysAgo),
  );
});

own('limit keeps the newest days', async ({ server, user }) => {
  const ask = (limit: unknown) =>
    server.request('POST', '/stats/all', { key: user.key, json: { fillMissing: 1, limit } });
  const { body } = await ask(2);
  assert.equal(
    body.message.urlsPerDay.map(({ first }: { first: string }) => first),
    [1, 0].map(daysAgo),
  );
  assert.is(body.message.totalImages, 2);
  assert.is((await ask(0)).body.message.urlsPerDay.length, 7);
  assert.is((await ask('3')).body.message.urlsPerDay.length, 3);
});

own('answers 400 to an invalid range or limit', async ({ server, user }) => {
  for (const json of [
    { limit: -1 },
    { limit: 1001 },
    { limit: 1.5 },
    { limit: 'many' },
    { fromDate: 'yesterday' },
    { toDate: '2026-02-30' },
    { fromDate: '2026-03-02', toDate: '2026-03-01' },
    { fromDate: '2026-03-01T10:00:01Z', toDate: '2026-03-01T10:00:00Z' },
    { fromDate: {} },
    { fillMissing: 'perhaps' },
    { fromDate: 1, toDate: 8_640_000_000_000, fillMissing: true },
  ]) {
    const answer = await server.request('POST', '/stats/all', { key: user.key, json });
    assert.is(answer.status, 400, JSON.stringify(json));
    assert.type(answer.body.message, 'string');
  }
  const { status } = await server.request('POST', '/stats/all', { key: user.key, body: '{"limit":' });
  assert.is(status, 400);
});

own('deleted items no longer count', async ({ server }) => {
  const { key } = await server.account();
  const first = await make(server, 'image', key);
  await make(server, 'image', key);
  await server.request('DELETE', `/image/get/${first}`, { key });
  const { body } = await server.request('POST', '/stats/all', { key, json: {} });
  assert.is(body.message.totalImages, 1);
  assert.equal(body.message.imagesPerDay, [{ first: daysAgo(0), second: 1 }]);
  const me = await server.request('GET', '/user/get/@me', { key });
  assert.is(me.body.message.stats.totalUploads, 1);
});

own.run();

const site = withServer('POST /stats/get');

site('answers 401 without a key', async ({ server }) => {
  assert.is((await server.request('POST', '/stats/get', { json: {} })).status, 401);
});

site('counts everybody and names the most active accounts', async ({ server, user }) => {
  await make(server, 'image', user.key);
  await make(server, 'image', user.key);
  await make(server, 'image', server.owner.key);
  await make(server, 'paste', server.owner.key);
  const { status, body } = await server.request('POST', '/stats/get', { key: user.key, json: {} });
  assert.is(status, 200);
  const { image, paste, url, storageUsed } = body.message;
  assert.is(image.total, 3);
  assert.is(image.bestUploader.count, 2);
  assert.is(image.bestUploader.user.username, user.username);
  assert.is(paste.total, 1);
  assert.is(paste.bestUploader.user.username, 'owner');
  assert.equal(url, { total: 0, bestUploader: null });
  assert.is(storageUsed, 3 * PNG.length, 'the text of pastes is no storage');
});

site('accepts every preset in any case', async ({ server, user }) => {
  const totals: Record<string, number> = {
    TODAY: 3,
    yesterday: 0,
    This_Week: 3,
    THIS_YEAR: 3,
    last_60_minutes: 3,
    LAST_24_HOURS: 3,
    LAST_7_DAYS: 3,
    LAST_14_DAYS: 3,
    LAST_30_DAYS: 3,
    LAST_90_DAYS: 3,
    total: 3,
  };
  for (const [preset, total] of Object.entries(totals)) {
    const { status, body } = await server.request('POST', '/stats/get', { key: user.key, json: { preset } });
    assert.is(status, 200, preset);
    assert.is(body.message.image.total, total, preset);
  }
});

site('accepts dates, and answers 400 to invalid ones', async ({ server, user }) => {
  const ask = (json: object) => server.request('POST', '/stats/get', { key: user.key, json });
  assert.is((await ask({ fromDate: daysAgo(0) })).body.message.image.total, 3);
  assert.is((await ask({ toDate: daysAgo(1) })).body.message.image.total, 0);
  for (const json of [
    { preset: 'LAST_WEEK' },
    { fromDate: 'x' },
    { fromDate: daysAgo(1), toDate: daysAgo(2) },
  ]) {
    assert.is((await ask(json)).status, 400, JSON.stringify(json));
  }
});

site('matches the image and paste statistics', async ({ server }) => {
  const image = await server.request('GET', '/image/stats');
  assert.is(image.body.message.total, 3);
  assert.is(image.body.message.total_all, 3);
  const size = PNG.length;
  assert.equal(image.body.message.sizes, { largest: size, smallest: size, average: size, total: 3 * size });
  assert.equal(image.body.message.formats, { png: 3 });
  const paste = await server.request('GET', `/paste/stats?fromDate=${daysAgo(0)}&toDate=${daysAgo(0)}`);
  assert.is(paste.body.message.total_pastes, 1);
  assert.is(paste.body.message.biggest_creator.username, 'owner');
});

site(
  'private and locked items are counted, but nothing else about them is revealed',
  async ({ server, user }) => {
    const file = (bytes: number, more: Record<string, string>) =>
      server.request('POST', '/image/upload', {
        key: user.key,
        form: fileForm(Buffer.alloc(bytes, 'x'), 'secret.txt', more),
      });
    const hidden = await file(54_321, { private: 'true' });
    const locked = await file(65_432, { password: 'open sesame' });
    await server.request('POST', '/paste/create', { key: user.key, json: { text: 'x', private: true } });
    await server.request('POST', '/paste/create', { key: user.key, json: { text: 'y', password: 'sesame' } });
    const told = async () => {
      const image = (await server.request('GET', '/image/stats')).body.message;
      const paste = (await server.request('GET', '/paste/stats')).body.message;
      const whole = (await server.request('POST', '/stats/get', { key: user.key, json: {} })).body.message;
      return { image, paste, whole };
    };
    const { image, paste, whole } = await told();
    assert.is(image.total, 5);
    assert.is(image.total_all, 5);
    assert.equal(image.formats, { png: 3 });
    assert.is(image.sizes.largest, PNG.length);
    assert.is(image.sizes.total, 3 * PNG.length);
    assert.is(image.sizes.average, PNG.length);
    assert.is(paste.total_pastes, 3);
    assert.is(paste.biggest_creator.username, 'owner');
    assert.equal([whole.image.total, whole.image.bestUploader.count], [5, 2]);
    assert.is(whole.storageUsed, 3 * PNG.length);
    const byOwner = await server.request('POST', '/stats/get', { key: server.owner.key, json: {} });
    assert.is(byOwner.body.message.storageUsed, 3 * PNG.length + 54_321 + 65_432);
    const profile = async (key: string) =>
      (await server.request('GET', `/user/get/${user.username}`, { key })).body.message.stats;
    const shown = await profile((await server.account('GUEST')).key);
    assert.equal([shown.totalUploads, shown.storageUsed], [4, 2 * PNG.length]);
    for (const key of [user.key, server.owner.key])
      assert.is((await profile(key)).storageUsed, 2 * PNG.length + 54_321 + 65_432);

    const { key } = user;
    const json = { ids: [hidden.body.uniqueId], private: false };
    assert.is((await server.request('POST', '//trpc/library.setPrivate', { key, json })).status, 200);
    const unlocked = await server.request('PUT', `/image/password/${locked.body.uniqueId}`, {
      key,
      json: { password: null },
    });
    assert.is(unlocked.status, 200, unlocked.text);
    const opened = await told();
    assert.equal(opened.image.formats, { png: 3, txt: 2 });
    assert.equal([opened.image.sizes.largest, opened.whole.image.bestUploader.count], [65_432, 4]);
  },
);

site(
  'a flood of statistics requests waits in a bounded line; everything else keeps working',
  async (given) => {
    const { server, user } = given;
    const ask = () =>
      Promise.all([
        server.request('GET', '/image/stats'),
        server.request('GET', '/paste/stats?fromDate=2020-01-01'),
        server.request('POST', '/stats/get', { key: user.key, json: {} }),
      ]);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const waiting = Array.from({ length: 200 }, () =>
      server.app.services.limits.statistics(() => held).catch((error: unknown) => error),
    );
    for (const { status, headers, body } of await ask()) {
      assert.equal([status, body.error], [503, true]);
      assert.ok(Number(headers.get('retry-after')) > 0);
    }
    assert.is((await server.request('GET', '/user/get/@me', { key: user.key })).status, 200);
    release();
    const ends = await Promise.all(waiting);
    assert.ok(ends.some((end) => end === undefined) && ends.some((end) => end !== undefined));
    for (const { status } of await ask()) assert.is(status, 200);
  },
);

site.run();

const exported = withServer('GET /stats/export');

exported('answers 401 without a key and 400 to other formats', async ({ server, user }) => {
  assert.is((await server.request('GET', '/stats/export')).status, 401);
  assert.is((await server.request('GET', '/stats/export?format=xml', { key: user.key })).status, 400);
});

exported('returns the numbers by day as JSON and as CSV', async ({ server, user }) => {
  await make(server, 'image', user.key);
  await make(server, 'paste', user.key);
  const json = await server.request('GET', '/stats/export', { key: user.key });
  const today = { day: daysAgo(0), images: 1, pastes: 1, urls: 0, bytes: PNG.length + 5 };
  assert.equal(json.body.message, [today]);
  assert.is(json.body.count, 1);
  const csv = await server.request('GET', '/stats/export?format=CSV', { key: user.key });
  assert.is(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(csv.headers.get('content-disposition') ?? '', /attachment; filename="holdall-statistics.csv"/);
  assert.is(csv.text, `day,images,pastes,urls,bytes\r\n${today.day},1,1,0,${today.bytes}\r\n`);
});

exported.run();

const link = withServer('GET /url/get/{id}/stats', { VISIT_ADDRESSES: 'truncated', TRUST_PROXY: 'true' });
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

link('counts people and bots separately, with their referrers', async ({ server, user }) => {
  const id = await make(server, 'url', user.key);
  const visit = (headers: Record<string, string>) =>
    server.request('GET', `/url/r/${id}`, { headers: { 'x-forwarded-for': '198.51.100.7', ...headers } });
  await visit({ 'user-agent': FIREFOX, referer: 'https://news.example/page?secret' });
  await visit({ 'user-agent': FIREFOX });
  await visit({ 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' });
  const { status, body } = await server.request('GET', `/url/get/${id}/stats`, { key: user.key });
  assert.is(status, 200);
  assert.is(body.uniqueId, id);
  assert.equal(body.message, {
    uniqueId: id,
    visits: 3,
    people: 2,
    bots: 1,
    perDay: [{ first: daysAgo(0), second: 3, people: 2, bots: 1 }],
    referrers: [
      { name: '', visits: 1 },
      { name: 'news.example', visits: 1 },
    ],
    browsers: [{ name: 'Firefox', visits: 2 }],
    systems: [{ name: 'Linux', visits: 2 }],
    botNames: [{ name: 'Discord', visits: 1 }],
    countries: [],
    variants: [],
  });
  const logs = await server.request('GET', `/url/get/${id}/logs`, { key: user.key });
  assert.equal(
    logs.body.message.map(({ ipAddress }: { ipAddress: string }) => ipAddress),
    Array(3).fill('198.51.100.0'),
  );
  const admin = await server.request('GET', `/url/get/${id}/stats?toDate=${daysAgo(1)}`, {
    key: server.owner.key,
  });
  assert.is(admin.body.message.visits, 0);
});

link('counts people and bots separately even if they send the same headers', async ({ server, user }) => {
  const id = await make(server, 'url', user.key);
  for (const agent of ['', 'Mozilla/5.0', ''])
    await server.request('GET', `/url/r/${id}`, { headers: { 'user-agent': agent } });
  const { people, bots } = (await server.request('GET', `/url/get/${id}/stats`, { key: user.key })).body
    .message;
  assert.equal([people, bots], [1, 2]);
});

link('a prefetch counts as a visit and uses the link up, but is nobody', async ({ server, user }) => {
  const { body } = await server.request('POST', '/url/create', {
    key: user.key,
    json: { url: 'https://example.com', maxUses: 6 },
  });
  const id = body.uniqueId;
  const visit = (headers: Record<string, string>, path = `/url/r/${id}`) =>
    server.request('GET', path, { headers: { 'user-agent': FIREFOX, ...headers } });
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender' },
    { purpose: 'prefetch' },
    { 'x-moz': 'prefetch' },
  ] as Record<string, string>[])
    await visit(headers);
  await visit({ 'sec-purpose': 'prefetch' }, `//r/${id}`);
  await visit({ purpose: 'prefetch', accept: 'text/html' }, `//r/${id}`);
  assert.is((await visit({})).status, 301);
  assert.is((await visit({})).status, 404);
  const { message } = (await server.request('GET', `/url/get/${id}/stats`, { key: user.key })).body;
  assert.equal([message.visits, message.people, message.bots], [6, 1, 5]);
  assert.equal(message.botNames, [{ name: 'Prefetch', visits: 5 }]);
  assert.equal(message.browsers, [{ name: 'Firefox', visits: 1 }]);
});

link('answers 404 to others once a link has ended, as everywhere', async ({ server, user }) => {
  const id = await make(server, 'url', server.owner.key);
  await lapse(server, 'short_urls', id);
  const ask = (key: string) => server.request('GET', `/url/get/${id}/stats`, { key });
  assert.is((await ask(user.key)).status, 404);
  assert.is((await ask(server.owner.key)).status, 200);
});

link('answers 401 to others and 404 where there is no link', async ({ server, user }) => {
  const id = await make(server, 'url', server.owner.key);
  assert.is((await server.request('GET', `/url/get/${id}/stats`)).status, 401);
  assert.is((await server.request('GET', `/url/get/${id}/stats`, { key: user.key })).status, 401);
  assert.is((await server.request('GET', '/url/get/NOBODY/stats', { key: user.key })).status, 404);
});

link.run();
