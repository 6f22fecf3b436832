// on both databases
/** Which requests are a view of a file or a paste, and what its owner reads about them. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createViews } from '../../routers/features/stats/views.js';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';
import { jpegPhoto } from '../support/media/media-fixtures.js';
import { lapse } from '../support/stores/lapse.js';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';
const DISCORD = 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)';

interface Given {
  server: TestServer;
  user: TestAccount;
}

function withServer(name: string) {
  const test = suite<Given>(name);
  test.before(async (given) => {
    given.server = await startServer();
    given.user = await given.server.account();
  });
  test.after(({ server }) => server.close());
  return test;
}

/** Stores an item of the user; returns its id. */
async function make(
  { server, user }: Given,
  kind: 'image' | 'paste' | 'url',
  fields: Record<string, string> = {},
): Promise<string> {
  const form = fileForm(await jpegPhoto(1, 120, 90), 'a.jpg');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const answer =
    kind === 'image'
      ? await server.request('POST', '/image/upload', { key: user.key, form })
      : await server.request('POST', `/${kind}/create`, {
          key: user.key,
          json: { ...(kind === 'paste' ? { text: 'hello' } : { url: 'https://example.org/' }), ...fields },
        });
  assert.is(answer.status, 200, answer.text);
  return answer.body.uniqueId;
}

const statsOf = async ({ server, user }: Given, kind: string, id: string) => {
  const { status, body, text } = await server.request('GET', `/stats/${kind}/${id}`, { key: user.key });
  assert.is(status, 200, text);
  return body.message;
};

/** The number of views of an item so far. */
const viewsOf = async (given: Given, kind: string, id: string): Promise<number> =>
  (await statsOf(given, kind, id)).visits;

interface Ask {
  readonly what: string;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly status?: number;
  readonly views: number;
}

interface Day {
  readonly first: string;
  readonly second: number;
  readonly people: number;
  readonly bots: number;
}

/** All, people and bots of several days: a test may run at midnight. */
const inAll = (days: readonly Day[]) =>
  (['second', 'people', 'bots'] as const).map((of) => days.reduce((sum, day) => sum + day[of], 0));

/** Sends each request and compares how many views it was. */
async function each(given: Given, kind: string, id: string, asks: readonly Ask[]): Promise<void> {
  for (const { what, method = 'GET', path, headers = {}, status = 200, views } of asks) {
    const before = await viewsOf(given, kind, id);
    const answer = await given.server.request(method, path, {
      headers: { 'user-agent': FIREFOX, ...headers },
    });
    assert.is(answer.status, status, `${what}: ${answer.text.slice(0, 200)}`);
    assert.is((await viewsOf(given, kind, id)) - before, views, what);
  }
}

const HTML = { accept: 'text/html' };

const files = withServer('views of files');

files(
  'a view is the whole file, or its page; not what a page fetches, a smaller picture or a rest',
  async (given) => {
    const { server } = given;
    const id = await make(given, 'image');
    const path = `/image/get/${id}`;
    const page = `//web/image-render/${id}`;
    const { headers } = await server.request('GET', path);
    const etag = headers.get('etag') ?? '';
    const own = { referer: `${server.origin}/web/library` };
    await each(given, 'image', id, [
      { what: 'the file', path, views: 1 },
      { what: 'the file under its name', path: `${path}.jpg`, views: 1 },
      { what: 'as a download', path: `${path}?download=true`, views: 1 },
      { what: 'in another format', path: `${path}?format=webp`, views: 1 },
      { what: 'as base64', path: `${path}?base64=true`, views: 1 },
      { what: 'its first part', path, headers: { range: 'bytes=0-99' }, status: 206, views: 1 },
      { what: 'a later part', path, headers: { range: 'bytes=100-199' }, status: 206, views: 0 },
      { what: 'a probe for parts', path, headers: { range: 'bytes=0-1' }, status: 206, views: 0 },
      { what: 'HEAD', method: 'HEAD', path, views: 0 },
      { what: 'what the client has', path, headers: { 'if-none-match': etag }, status: 304, views: 0 },
      { what: 'a smaller picture', path: `${path}?width=60`, views: 0 },
      { what: 'its details', path: `${path}?info=true`, views: 0 },
      { what: 'its record', path: `/image/info/${id}`, views: 0 },
      { what: 'on one of our pages', path, headers: own, views: 0 },
      { what: 'the same, as a browser says', path, headers: { 'sec-fetch-site': 'same-origin' }, views: 0 },
      { what: 'on a page of another site', path, headers: { 'sec-fetch-site': 'cross-site' }, views: 1 },
      { what: 'its page', path: page, headers: HTML, views: 1 },
      { what: 'its page, from one of ours', path: page, headers: { ...HTML, ...own }, views: 1 },
      {
        what: 'its page, from itself',
        path: `${page}?view=source`,
        headers: { ...HTML, referer: `${server.origin}/web/image-render/${id}` },
        views: 0,
      },
      { what: 'HEAD of its page', method: 'HEAD', path: page, headers: HTML, views: 0 },
      {
        what: 'the picture at the address of its page',
        path: page,
        headers: { accept: 'image/*' },
        views: 1,
      },
      { what: 'its short link, which leads to its page', path: `//r/${id}`, status: 302, views: 0 },
    ]);
  },
);

files('its page counts for who is let in', async (given) => {
  const id = await make(given, 'image', { password: 'sesame' });
  const page = `//web/image-render/${id}`;
  await each(given, 'image', id, [
    { what: 'without the password', path: page, headers: HTML, views: 0 },
    { what: 'the file without it', path: `/image/get/${id}`, status: 403, views: 0 },
    { what: 'the file with it', path: `/image/get/${id}?password=sesame`, views: 1 },
  ]);
  const { server } = given;
  const opened = await server.request('POST', page, {
    form: new URLSearchParams({ password: 'sesame' }),
    headers: { ...HTML, origin: server.origin, referer: `${server.origin}/web/image-render/${id}` },
  });
  assert.is(opened.status, 200);
  assert.is(await viewsOf(given, 'image', id), 2);
});

files('an item with a limit counts the views that use it up, and nothing else', async (given) => {
  const { server, user } = given;
  const id = await make(given, 'image', { maxViews: '2' });
  const path = `/image/get/${id}`;
  await each(given, 'image', id, [
    { what: 'its page', path: `//web/image-render/${id}`, headers: HTML, views: 0 },
    { what: 'a rest', path, headers: { range: 'bytes=100-199' }, status: 206, views: 1 },
    { what: 'the file', path, headers: { 'sec-fetch-site': 'same-origin' }, views: 1 },
    { what: 'one too many', path, status: 404, views: 0 },
  ]);
  await server.request('GET', path, { key: user.key });
  assert.is(await viewsOf(given, 'image', id), 2);
  const { body } = await server.request('GET', `/image/info/${id}`, { key: user.key });
  assert.is(body.message.views, 2);
});

files(
  'its owner and administrators read in records and lists how often an item was opened',
  async (given) => {
    const { server, user } = given;
    const admin = await server.account('ADMIN');
    const file = await make(given, 'image');
    const paste = await make(given, 'paste');
    const newer = await make(given, 'image');
    const open = async (path: string, times: number) => {
      for (let left = times; left > 0; left -= 1) assert.is((await server.request('GET', path)).status, 200);
    };
    await open(`/image/get/${file}`, 3);
    await open(`/paste/get/${paste}`, 2);
    const renamed = await server.request('PATCH', `/image/get/${file}`, {
      key: user.key,
      json: { uniqueId: 'opened-before' },
    });
    assert.is(renamed.status, 200, renamed.text);
    await open('/image/get/opened-before', 1);
    assert.is(await viewsOf(given, 'image', 'opened-before'), 4);
    const shown = async (path: string, key?: string) =>
      (await server.request('GET', path, key === undefined ? {} : { key })).body.message.views;
    const info = '/image/info/opened-before';
    assert.equal(
      [await shown(info, user.key), await shown(info, admin.key), await shown(info)],
      [4, 4, null],
    );
    assert.is(await viewsOf(given, 'paste', paste), 2);
    const text = `/paste/get/${paste}`;
    assert.equal([await shown(text), await shown(text, admin.key)], [null, 2]);
    const sorted = async (kind: string) => {
      const path = `/user/get/@me/items?kind=${kind}&sort=views`;
      const { content } = (await server.request('GET', path, { key: user.key })).body.message;
      return content.map(({ uniqueId, views }: { uniqueId: string; views: number }) => [uniqueId, views]);
    };
    await viewsOf(given, 'paste', paste);
    const images = await sorted('image');
    const views = images.map(([, count]: [string, number]) => count);
    assert.equal(
      views,
      [...views].sort((a, b) => b - a),
    );
    const listed = new Map<string, number>([...images, ...(await sorted('paste'))]);
    assert.equal([listed.get('opened-before'), listed.get(newer)], [4, 0]);
    assert.is(listed.get(paste), await viewsOf(given, 'paste', paste));
  },
);

files('tells who it was: people apart from bots, where they came from and what they use', async (given) => {
  const { server, user } = given;
  const id = await make(given, 'image');
  const ask = (headers: Record<string, string>) =>
    server.request('GET', `/image/get/${id}`, { headers: { 'user-agent': FIREFOX, ...headers } });
  await ask({ referer: 'https://news.example/page?secret' });
  await ask({ referer: 'https://news.example/other' });
  await ask({});
  await ask({ 'user-agent': DISCORD, referer: 'https://bots.example/' });
  await ask({ 'sec-purpose': 'prefetch' });
  const stats = await statsOf(given, 'image', id);
  assert.equal(stats, {
    uniqueId: id,
    visits: 5,
    people: 3,
    bots: 2,
    perDay: stats.perDay,
    referrers: [
      { name: 'news.example', visits: 2 },
      { name: '', visits: 1 },
    ],
    browsers: [{ name: 'Firefox', visits: 3 }],
    systems: [{ name: 'Linux', visits: 3 }],
    botNames: [
      { name: 'Discord', visits: 1 },
      { name: 'Prefetch', visits: 1 },
    ],
    countries: [],
  });
  const days: readonly Day[] = stats.perDay;
  assert.equal(inAll(days), [5, 3, 2]);
  assert.ok(days.every(({ first }) => Math.abs(Date.parse(first) - Date.now()) < 2 * 86_400_000));
  const none = await server.request('GET', `/stats/image/${id}?toDate=2020-01-01`, { key: user.key });
  assert.is(none.body.message.visits, 0);
  const csv = await server.request('GET', `/stats/image/${id}/export?format=csv`, { key: user.key });
  const lines = days.map(({ first, second, people, bots }) => `${first},${second},${people},${bots}\r\n`);
  assert.is(csv.text, `day,views,people,bots\r\n${lines.join('')}`);
  const json = await server.request('GET', `/stats/image/${id}/export`, { key: user.key });
  assert.equal(
    json.body.message,
    days.map(({ first, second, people, bots }) => ({ day: first, views: second, people, bots })),
  );
});

files('names so many referrers of a day, and the rest together', async (given) => {
  const id = await make(given, 'image');
  const { load, views } = given.server.app.services;
  const row = (await load.image(id))?.id ?? 0;
  const from = (...hosts: string[]) => {
    for (const host of hosts)
      views.note('image', row, {
        ...{ userAgent: FIREFOX, address: '', prefetch: false },
        referrer: `https://${host}/`,
      });
  };
  from(...Array.from({ length: 60 }, (_, n) => `a${n}.example`));
  await views.flush();
  from('b1.example', 'b2.example', 'a1.example');
  const { referrers, visits } = await statsOf(given, 'image', id);
  assert.equal(referrers.slice(0, 2), [
    { name: '*', visits: 12 },
    { name: 'a1.example', visits: 2 },
  ]);
  assert.equal([referrers.length, visits], [50, 63]);
});

files('names the countries of people, to others than the owner only those of several', async (given) => {
  const { server, user } = given;
  const id = await make(given, 'image');
  const { db, load, log } = server.app.services;
  const row = (await load.image(id))?.id ?? 0;
  const views = createViews(db, log, server.origin, (address) => (address === 'near' ? 'CZ' : 'DE'));
  for (const [address, userAgent, times] of [
    ['near', FIREFOX, 5],
    ['far', FIREFOX, 2],
    ['far', DISCORD, 9],
  ] as const)
    for (let n = 0; n < times; n += 1)
      views.note('image', row, { address, userAgent, referrer: null, prefetch: false });
  await views.flush();
  const countries = async (key: string) =>
    (await server.request('GET', `/stats/image/${id}`, { key })).body.message.countries;
  const many = { name: 'CZ', visits: 5 };
  assert.equal(await countries(user.key), [many, { name: 'DE', visits: 2 }]);
  assert.equal(await countries(server.owner.key), [many]);
});

files('is for its owner and administrators', async (given) => {
  const { server, user } = given;
  const stranger = await server.account();
  for (const kind of ['image', 'paste'] as const) {
    const id = await make(given, kind);
    for (const path of [`/stats/${kind}/${id}`, `/stats/${kind}/${id}/export`]) {
      const ask = async (key?: string) => (await server.request('GET', path, { key })).status;
      assert.equal(
        [await ask(), await ask(stranger.key), await ask(user.key), await ask(server.owner.key)],
        [401, 401, 200, 200],
      );
      assert.is((await server.request('GET', `/stats/${kind}/NOBODY`, { key: user.key })).status, 404);
    }
    await lapse(server, kind === 'image' ? 'images' : 'pastes', id);
    assert.is((await server.request('GET', `/stats/${kind}/${id}`, { key: stranger.key })).status, 404);
    assert.is((await server.request('GET', `/stats/${kind}/${id}`, { key: user.key })).status, 200);
  }
});

files.run();

const pastes = withServer('views of pastes');

pastes('a view is the paste, its text or its page', async (given) => {
  const { server } = given;
  const id = await make(given, 'paste');
  const path = `/paste/get/${id}`;
  const page = `//web/paste-render/${id}`;
  await each(given, 'paste', id, [
    { what: 'the paste', path, views: 1 },
    { what: 'its text', path: `${path}?raw=true`, views: 1 },
    { what: 'HEAD', method: 'HEAD', path, views: 0 },
    {
      what: 'from one of our pages',
      path,
      headers: { referer: `${server.origin}${page.slice(1)}` },
      views: 0,
    },
    { what: 'its page', path: page, headers: HTML, views: 1 },
    { what: 'HEAD of its page', method: 'HEAD', path: page, headers: HTML, views: 0 },
    {
      what: 'its page, from itself',
      path: page,
      headers: { ...HTML, referer: `${server.origin}${page.slice(1)}` },
      views: 0,
    },
    { what: 'its preview', path: `//web/oembed?url=${server.origin}/web/paste-render/${id}`, views: 0 },
  ]);
  const confirmed = await server.request('POST', path, { json: {} });
  assert.is(confirmed.status, 200);
  assert.is(await viewsOf(given, 'paste', id), 4);
});

pastes('what reads a paste for its owner is no view', async (given) => {
  const { server, user } = given;
  const id = await make(given, 'paste');
  const cookie = `session_token=${await sessionOf(server, user)}`;
  for (const path of [`//web/edit/paste/${id}`, '//web/settings/account/export']) {
    const { status } = await server.request('GET', path, { headers: { ...HTML, cookie } });
    assert.is(status, 200, path);
  }
  assert.is(await viewsOf(given, 'paste', id), 0);
});

pastes.run();

const all = withServer('GET /stats/opened');

all('adds up what all items of the caller were opened, and names the most visited', async (given) => {
  const { server, user } = given;
  const [image, paste, link, quiet] = [
    await make(given, 'image'),
    await make(given, 'paste', { title: 'Notes' }),
    await make(given, 'url'),
    await make(given, 'paste'),
  ];
  const open = (path: string, agent = FIREFOX) =>
    server.request('GET', path, { headers: { 'user-agent': agent } });
  for (let n = 0; n < 3; n += 1) await open(`/url/r/${link}`);
  for (let n = 0; n < 2; n += 1) await open(`/paste/get/${paste}`);
  await open(`/image/get/${image}`);
  await open(`/image/get/${image}`, DISCORD);
  await open(`/paste/get/${quiet}`, DISCORD);
  const ask = async (query = '', key = user.key) =>
    (await server.request('GET', `/stats/opened${query}`, { key })).body.message;
  const whole = await ask();
  assert.equal(inAll(whole.perDay), [8, 6, 2]);
  assert.equal(whole, {
    visits: 8,
    people: 6,
    bots: 2,
    perDay: whole.perDay,
    most: [
      { kind: 'url', uniqueId: link, title: 'https://example.org/', people: 3, bots: 0 },
      { kind: 'paste', uniqueId: paste, title: 'Notes', people: 2, bots: 0 },
      { kind: 'image', uniqueId: image, title: 'a.jpg', people: 1, bots: 1 },
    ],
  });
  assert.is((await ask('?limit=1')).most.length, 1);
  assert.is((await ask('?toDate=2020-01-01')).visits, 0);
  assert.is((await ask('', server.owner.key)).visits, 0);
  const made = await server.request('POST', '/user/get/@me/keys', {
    key: user.key,
    json: { name: 'figures', scopes: ['stats:read', 'urls:read'] },
  });
  const key = made.body.message.key;
  const narrow = await ask('', key);
  assert.equal([narrow.visits, narrow.most.map(({ kind }: { kind: string }) => kind)], [8, ['url']]);
});

all('forgets what is deleted', async (given) => {
  const { server, user } = given;
  const counted = async () => {
    const { views, db } = server.app.services;
    await views.flush();
    const tables = await Promise.all(
      ['hit_days', 'view_days'].map((table) => db.read(table).count('* as n')),
    );
    return tables.map(([row]) => Number(row?.n));
  };
  const other = await server.account();
  const before = await counted();
  const theirs = { server, user: other };
  for (const kind of ['image', 'paste', 'url'] as const) {
    const id = await make(theirs, kind);
    await server.request('GET', kind === 'url' ? `/url/r/${id}` : `/${kind}/get/${id}`);
    assert.is((await counted())[0], (before[0] ?? 0) + 1, kind);
    await server.request('DELETE', `/${kind}/get/${id}`, { key: other.key });
    assert.equal(await counted(), before, kind);
    // What is still in memory of an item that is gone is left out.
    const brief = await make(theirs, kind);
    await server.request('GET', kind === 'url' ? `/url/r/${brief}` : `/${kind}/get/${brief}`);
    await server.request('DELETE', `/${kind}/get/${brief}`, { key: other.key });
    assert.equal(await counted(), before, kind);
  }
  assert.is((await server.request('GET', '/stats/opened', { key: user.key })).body.message.visits, 8);
});

all.run();

const processes = suite('several processes');

processes('add to the same days, and store what they have counted when they stop', async () => {
  const first = await startServer();
  const second = await startServer({ DATA_DIR: first.dataDir });
  try {
    const user = await first.account();
    const id = await make({ server: first, user }, 'paste');
    for (let n = 0; n < 3; n += 1) await second.request('GET', `/paste/get/${id}`);
    await first.request('GET', `/paste/get/${id}`);
    assert.is(await viewsOf({ server: first, user }, 'paste', id), 1);
    await second.close();
    assert.is(await viewsOf({ server: first, user }, 'paste', id), 4);
  } finally {
    await first.close();
  }
});

processes.run();
