// on both databases
/** Where links lead by rules and in parts, with the rest of a path, before their time and after it. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';
import { mmdb } from '../support/stores/mmdb.js';

let server: TestServer;
let user: TestAccount;
const ways = suite('ways of links');
ways.before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ways-'));
  const file = join(folder, 'countries.mmdb');
  await writeFile(file, mmdb({ '192.0.2.0/24': { country: { iso_code: 'DE' } } }));
  server = await startServer({ TRUST_PROXY: '1', GEO_DATABASE: file });
  user = await server.account();
});
ways.after(() => server.close());

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1';
const PIXEL =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';
const WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36';
const GOOGLE = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const create = (json: object) =>
  server.request('POST', '/url/create', {
    key: user.key,
    json: { url: 'https://example.com/usual', ...json },
  });
const make = async (json: object): Promise<string> => {
  const { status, body } = await create(json);
  assert.is(status, 200, body.message);
  return body.uniqueId;
};
const to = (name: string) => `https://example.com/${name}`;
const follow = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const answer = await fetch(`${server.origin}/r/${path}`, {
    ...{ method, redirect: 'manual' },
    headers: { 'user-agent': WINDOWS, 'accept-language': 'xx', ...headers },
  });
  return answer.headers.get('location') ?? String(answer.status);
};
const stats = async (id: string) =>
  (await server.request('GET', `/url/get/${encodeURIComponent(id)}/stats`, { key: user.key })).body.message;

ways('the first rule that fits leads, all of its conditions hold, and visits are counted by it', async () => {
  const id = await make({
    rules: [
      { when: { device: ['ios'], language: ['de'] }, url: to('ios-de') },
      { when: { device: ['mobile'] }, url: to('mobile') },
      { when: { country: ['de'], bot: null }, url: to('germany') },
      { when: { query: { ref: '*', v: '2' } }, url: to('query') },
      { when: { bot: true }, url: to('bot') },
    ],
  });
  for (const [headers, name, query = ''] of [
    [{ 'user-agent': IPHONE, 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }, 'ios-de'],
    [{ 'user-agent': IPHONE, 'accept-language': 'en,de;q=0.5' }, 'mobile'],
    [{ 'user-agent': PIXEL, 'x-forwarded-for': '192.0.2.7' }, 'mobile'],
    [{ 'x-forwarded-for': '192.0.2.7' }, 'germany'],
    [{ 'user-agent': GOOGLE, 'x-forwarded-for': '192.0.2.7' }, 'bot'],
    [{}, 'query', '?v=2&ref='],
    [{}, 'usual', '?v=3&ref='],
    [{}, 'usual', '?v=2'],
    [{}, 'usual'],
  ] as [Record<string, string>, string, string?][]) {
    assert.is(await follow(`${id}${query}`, headers, 'HEAD'), to(name));
    assert.is(await follow(`${id}${query}`, headers), to(name));
  }
  assert.equal((await stats(id)).variants, [
    { name: 'rule-2', visits: 2 },
    ...[1, 3, 4, 5].map((n) => ({ name: `rule-${n}`, visits: 1 })),
  ]);
  const log = await server.request('GET', `/url/get/${id}/logs`, { key: user.key });
  assert.equal(log.body.message.map(({ variant }: { variant: string }) => variant).reverse(), [
    'rule-1',
    'rule-2',
    'rule-2',
    'rule-3',
    'rule-5',
    'rule-4',
    null,
    null,
    null,
  ]);
});
ways('times of day run over midnight and in zones; instants end', async () => {
  const minute = (shift: number, zone = 'UTC') =>
    new Date(Date.now() + shift * 60_000).toLocaleTimeString('en-GB', {
      timeZone: zone,
      hour: '2-digit',
      minute: '2-digit',
    });
  const tokyo = 'Asia/Tokyo';
  for (const [when, fits] of [
    [{ from: `${minute(-60)}Z`, to: `${minute(60)}Z` }, true],
    [{ from: `${minute(60)}Z`, to: `${minute(-60)}Z` }, false],
    [{ from: `${minute(-60, tokyo)} ${tokyo}`, to: `${minute(60, tokyo)} ${tokyo}` }, true],
    [{ from: `${minute(-60)}+05:30`, to: `${minute(60)}+05:30` }, false],
    [{ from: '2020-01-01T00:00Z', to: '2999-01-01T00:00:00+02:00' }, true],
    [{ to: '2020-01-01T00:00Z' }, false],
    [{ from: '2999-01-01T00:00Z' }, false],
    [{}, true],
  ] as [object, boolean][]) {
    const id = await make({ rules: [{ when, url: to('now') }] });
    assert.is(await follow(id), to(fits ? 'now' : 'usual'), JSON.stringify(when));
  }
});
ways('parts get their shares, and of N uses N are counted', async () => {
  const id = await make({
    maxUses: 40,
    split: [
      { url: to('a'), weight: 1000 },
      { url: to('b'), weight: 1000 },
      { url: to('c'), weight: 1 },
    ],
  });
  const answers = await Promise.all(Array.from({ length: 60 }, () => follow(id)));
  const count = (name: string) => answers.filter((answer) => answer === name).length;
  assert.is(count('404'), 20);
  assert.ok(count(to('a')) > 5 && count(to('b')) > 5);
  const { visits, variants } = await stats(id);
  assert.is(visits, 40);
  assert.is(
    variants.reduce((sum: number, each: { visits: number }) => sum + each.visits, 0),
    40,
  );
  assert.is(variants.find(({ name }: { name: string }) => name === 'split-1').visits, count(to('a')));
});

const when = {};
for (const [why, json] of Object.entries({
  'a loop': { rules: [{ when, url: 'LOOP' }] },
  'a loop in a part': {
    split: [
      { url: 'LOOP', weight: 1 },
      { url: to('b'), weight: 1 },
    ],
  },
  'a loop as a fallback': { fallbackUrl: 'LOOP' },
  'a script': { rules: [{ when, url: 'javascript:alert(1)' }] },
  '21 rules': { rules: Array.from({ length: 21 }, () => ({ when, url: to('x') })) },
  'no weight': {
    split: [
      { url: to('a'), weight: 0 },
      { url: to('b'), weight: 1 },
    ],
  },
  'one part': { split: [{ url: to('a'), weight: 1 }] },
  '11 parts': { split: Array.from({ length: 11 }, () => ({ url: to('a'), weight: 1 })) },
  'an unknown country': { rules: [{ when: { country: ['ZZ'] }, url: to('x') }] },
  'a country of old': { rules: [{ when: { country: ['UK'] }, url: to('x') }] },
  'an unknown device': { rules: [{ when: { device: ['fridge'] }, url: to('x') }] },
  'an unknown condition': { rules: [{ when: { moon: 'full' }, url: to('x') }] },
  'an empty list': { rules: [{ when: { device: [] }, url: to('x') }] },
  'a time without a zone': { rules: [{ when: { from: '08:00' }, url: to('x') }] },
  'a moment without a zone': { rules: [{ when: { from: '2030-01-01T00:00' }, url: to('x') }] },
  'an unknown zone': { rules: [{ when: { from: '08:00 Mars/Base' }, url: to('x') }] },
  'the 30th of February': { rules: [{ when: { from: '2030-02-30T00:00Z' }, url: to('x') }] },
  'no language': { rules: [{ when: { language: ['not a language'] }, url: to('x') }] },
  'an end before the beginning': {
    rules: [{ when: { from: '2031-01-01T00:00Z', to: '2030-01-01T00:00Z' }, url: to('x') }],
  },
  'a rule without a target': { rules: [{ when }] },
  'no list': { rules: { when, url: to('x') } },
}))
  ways(`${why} is refused, and leaves nothing`, async () => {
    const own = `${server.origin}/r/x`;
    const text = JSON.stringify(json).replaceAll('LOOP', own);
    const { status, body } = await create({ uniqueId: 'refused', ...JSON.parse(text) });
    assert.is(status, 400, body.message);
    assert.match(body.message, /^(?:rules|split|fallbackUrl)/);
    assert.is((await server.request('GET', '/url/get/refused')).status, 404);
  });

ways('20 rules of 20 conditions are kept, changed and cleared; strangers see none', async () => {
  const query = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, String(n)]));
  const rules = Array.from({ length: 20 }, (_, n) => ({ when: { query }, url: to(String(n)) }));
  const split = [1, 2].map((n) => ({ url: to(`s${n}`), weight: n }));
  const id = await make({ rules, split, fallbackUrl: to('over') });
  const get = async (key?: string) => (await server.request('GET', `/url/get/${id}`, { key })).body.message;
  const own = await get(user.key);
  assert.equal([own.rules, own.split, own.fallbackUrl], [rules, split, to('over')]);
  const other = await get();
  assert.equal([other.rules, other.split, other.fallbackUrl], [[], [], null]);
  const patch = (json: object) => server.request('PATCH', `/url/get/${id}`, { key: user.key, json });
  const noted = (await patch({ note: 'n' })).body.message;
  assert.equal([noted.rules.length, noted.split.length], [20, 2]);
  assert.is((await patch({ rules: [], split: null, fallbackUrl: '' })).body.message.split.length, 0);
  const cleared = await get(user.key);
  assert.equal([cleared.rules, cleared.split, cleared.fallbackUrl], [[], [], null]);
});
ways('a fallback takes who comes too late or too early, uncounted', async () => {
  const used = await make({ maxUses: 1, fallbackUrl: to('over') });
  assert.is(await follow(used), to('usual'));
  assert.is(await follow(used), to('over'));
  const early = await make({ startsAt: '2999-01-01T00:00Z', fallbackUrl: to('soon') });
  assert.is(await follow(early), to('soon'));
  assert.is(await follow(await make({ startsAt: '2999-01-01T00:00Z' })), '404');
  assert.is(await follow(await make({ startsAt: '2020-01-01T00:00Z' })), to('usual'));
  const hidden = await make({ maxUses: 1, private: true, fallbackUrl: to('over') });
  await server.request('GET', `/url/r/${hidden}`, { key: user.key });
  assert.is(await follow(hidden), '404');
  assert.is((await server.request('GET', `/url/r/${early}`)).headers.get('location'), to('soon'));
  assert.is((await stats(used)).visits, 1);
});
ways('unknown ids lead where the operator says, those of files and pastes do not', async () => {
  const change = (unknownUrl: string | null) =>
    server.request('PATCH', '/admin/branding', { key: server.owner.key, json: { unknownUrl } });
  assert.is((await change('https://example.com/lost')).body.message.unknownUrl, to('lost'));
  assert.is((await server.request('GET', '/branding')).body.message.unknownUrl, null);
  assert.is(await follow('nobody-has-this'), to('lost'));
  assert.is(await follow('nobody/has/this'), to('lost'));
  const form = fileForm('data', 'a.bin', { uniqueId: 'one-view', maxViews: '1' });
  await server.request('POST', '/image/upload', { key: user.key, form });
  await server.request('GET', '/image/get/one-view');
  assert.is(await follow('one-view'), '404');
  assert.is(await follow('one-view.bin'), '404');
  assert.is((await change(`${server.origin}/r/x`)).status, 400);
  await change(null);
  assert.is(await follow('nobody-has-this'), '404');
});
ways('the rest of a path is passed on, and a longer id wins', async () => {
  await make({ uniqueId: 'docs', url: 'https://example.com/v1?a=1#top', forwardPath: true });
  await make({ uniqueId: 'docs/api', url: to('api') });
  await make({ uniqueId: 'plain' });
  assert.is(await follow('docs'), 'https://example.com/v1?a=1#top');
  assert.is(
    await follow('docs/guide/start%20here?b=2'),
    'https://example.com/v1/guide/start%20here?a=1&b=2#top',
  );
  assert.is(await follow('docs/api'), to('api'));
  assert.is(await follow('docs/api/x'), 'https://example.com/v1/api/x?a=1#top');
  for (const path of ['docs/%2e%2e/x', 'docs/..%2f..%2fx', 'plain/x', 'docs/a%2F..'])
    assert.is(await follow(path), '404', path);
  await make({ uniqueId: 'bare', url: 'https://example.com', forwardPath: true });
  assert.is(await follow('bare/.evil.example'), 'https://example.com/.evil.example');
});
ways('the visits of many links are summed up by variant, tag and host', async () => {
  const { key } = await server.account();
  const links = await Promise.all(
    [['a'], ['a', 'b'], []].map(async (tags) => {
      const json = { url: to('usual'), tags, rules: [{ when: { device: ['ios'] }, url: to('ios') }] };
      return (await server.request('POST', '/url/create', { key, json })).body.uniqueId;
    }),
  );
  for (const id of links) {
    await follow(id);
    await follow(id, { 'user-agent': IPHONE });
  }
  await follow(links[1], { 'user-agent': GOOGLE });
  const sums = async (query = '') =>
    (await server.request('GET', `/stats/links${query}`, { key })).body.message;
  const { host } = new URL(server.origin);
  assert.equal(await sums(), {
    ...{ visits: 7, people: 6, bots: 1, variants: [{ name: 'rule-1', visits: 3 }] },
    tags: [
      { name: 'a', visits: 5 },
      { name: 'b', visits: 3 },
    ],
    domains: [{ name: host, visits: 7 }],
  });
  assert.equal((await sums('?tag=B')).visits, 3);
  assert.equal((await sums('?tag=b')).tags.length, 2);
  assert.is((await sums(`?domain=${host}`)).visits, 7);
  for (const query of ['?tag=nobody', '?domain=other.example', '?to=2020-01-01', '?from=2999-01-01'])
    assert.is((await sums(query)).visits, 0, query);
  assert.is((await server.request('GET', '/stats/links?from=x', { key })).status, 400);
  const csv = await server.request('GET', '/stats/links/export?format=csv&tag=b', { key });
  const lines = ['of,name,visits', 'visits,,3', 'people,,2', 'bots,,1', 'variant,rule-1,1'];
  assert.equal(csv.text.split('\r\n').slice(0, 5), lines);
  const { body } = await server.request('GET', '/stats/links/export', { key });
  assert.equal(body.message[0], { of: 'visits', name: null, visits: 7 });
});
ways('an export with all of it can be imported', async () => {
  const rules = [{ when: { device: ['ios'] }, url: to('ios') }];
  await make({
    uniqueId: 'moved',
    rules,
    fallbackUrl: to('over'),
    startsAt: '2020-01-01T00:00:00Z',
    forwardPath: true,
  });
  for (const format of ['csv', 'json']) {
    const file = await server.request('GET', `/url/export?format=${format}`, { key: user.key });
    const there = await startServer();
    const made = await there.request('POST', `/url/import?format=${format}`, {
      key: there.owner.key,
      body: file.text,
      headers: { 'content-type': 'text/plain' },
    });
    assert.is(made.status, 200, made.body.message);
    const { message } = (await there.request('GET', '/url/get/moved', { key: there.owner.key })).body;
    assert.equal(message.rules, rules);
    assert.equal([message.fallbackUrl, message.forwardPath], [to('over'), true]);
    await there.close();
  }
});
ways('a page says who is led where, tries it, and changes rules and parts by form', async () => {
  const id = await make({ rules: [{ when: { device: ['ios'], country: ['DE'] }, url: to('app') }] });
  const cookie = `session_token=${await sessionOf(server, user)}`;
  const page = async (path: string, form?: Record<string, string>) => {
    const answer = await server.request(form === undefined ? 'GET' : 'POST', `/web/links/${path}`, {
      headers: { accept: 'text/html', cookie, origin: server.origin },
      ...(form === undefined ? {} : { form: new URLSearchParams(form) }),
    });
    return { status: answer.status, text: answer.text.replaceAll(/<[^>]*>/g, '') };
  };
  assert.match((await page(id)).text, 'on iPhone or iPad · from Germany → example.com/app');
  assert.match((await page(`${id}/rules?visitor=iphone&country=de`)).text, `Rule 1 → ${to('app')}`);
  assert.match((await page(`${id}/rules?visitor=iphone`)).text, `No rule fits → ${to('usual')}`);
  const rule = (index: number, fields: Record<string, string>) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [`rules.${index}.${name}`, value]));
  const refused = await page(`${id}/rules`, rule(0, { url: to('app'), 'when.country': 'DE, ZZ' }));
  assert.is(refused.status, 400);
  assert.match(refused.text, 'use a code of a country like DE');
  const saved = await page(`${id}/rules`, {
    ...rule(0, { url: to('app'), 'when.device': 'ios', 'when.country': 'DE' }),
    ...rule(1, { url: to('mail'), 'when.query': 'ref=mail&x=*', 'when.bot': 'false', move: 'up' }),
    ...rule(2, { url: '', 'when.country': '' }),
    ...{ 'split.0.url': to('a'), 'split.0.weight': '3', 'split.1.url': to('b'), 'split.1.weight': '' },
  });
  assert.is(saved.status, 303);
  const { body } = await server.request('GET', `/url/get/${id}`, { key: user.key });
  assert.equal(
    [body.message.rules, body.message.split],
    [
      [
        { when: { query: { ref: 'mail', x: '*' }, bot: false }, url: to('mail') },
        { when: { device: ['ios'], country: ['DE'] }, url: to('app') },
      ],
      [
        { url: to('a'), weight: 3 },
        { url: to('b'), weight: 1 },
      ],
    ],
  );
  assert.match((await page(`${id}/rules?visitor=mac`)).text, `Part 1, 75% → ${to('a')}`);
  await follow(id, { 'user-agent': IPHONE, 'x-forwarded-for': '192.0.2.1' });
  assert.match((await page(id)).text, /Rules and parts.*Rule 2/s);
});

ways.run();
