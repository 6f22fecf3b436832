// on both databases
/** Clients of YOURLS shorten, expand and count. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestAccount, type TestServer } from '../../harness.js';

const test = suite('the door of YOURLS');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer();
});
test.before.each(async () => {
  user = await server.account();
});
test.after(() => server.close());

const ask = (fields: Record<string, string>, method = 'GET'): Promise<Answer> => {
  const form = new URLSearchParams({ signature: user.key, ...fields });
  return method === 'GET'
    ? server.request('GET', `//yourls-api.php?${form}`)
    : server.request('POST', '//yourls-api.php', { form });
};
const shorten = (url: string, more: Record<string, string> = {}) => ask({ action: 'shorturl', url, ...more });
const follow = (id: string) => server.request('GET', `/url/r/${id}`);

test('an address becomes a link, twice two, and expands by keyword or address', async () => {
  const first = await shorten('https://example.com/?a=1&b=2', { keyword: 'Mine', title: 'A title' });
  assert.is(first.status, 200, first.text);
  const { url, ...answer } = first.body;
  assert.equal(Object.keys(url), ['keyword', 'url', 'title', 'date', 'ip']);
  assert.match(url.date, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  assert.equal(
    [url.keyword, url.url, url.title, url.ip],
    ['Mine', 'https://example.com/?a=1&b=2', 'A title', ''],
  );
  assert.equal(answer, {
    ...{ status: 'success', code: '', message: 'https://example.com/?a=1&b=2 added to database' },
    ...{ title: 'A title', shorturl: `${server.origin}/r/Mine`, statusCode: '200' },
  });
  const second = await shorten('https://example.com/?a=1&b=2');
  assert.is.not(second.body.shorturl, answer.shorturl);
  for (const shorturl of ['Mine', 'mine', answer.shorturl, `${answer.shorturl}/`]) {
    const { body } = await ask({ action: 'expand', shorturl }, 'POST');
    assert.is(body.longurl, 'https://example.com/?a=1&b=2');
    assert.is(body.message, 'success');
  }
});

test('simple, xml and jsonp say the same', async () => {
  const simple = await shorten('https://example.com/x', { format: 'simple', keyword: 'S-1' });
  assert.is(simple.text, `${server.origin}/r/S-1`);
  const xml = await shorten('https://example.com/<x>&y', { format: 'xml', keyword: 'S-2', title: 'a & <b>' });
  assert.match(xml.headers.get('content-type') ?? '', /^application\/xml/);
  assert.match(
    xml.text,
    /^<\?xml [^>]+\?>\s*<result><url><keyword>S-2<\/keyword>.*<title>a &amp; &lt;b&gt;<\/title>/,
  );
  const script = await ask({ action: 'expand', shorturl: 'S-1', format: 'jsonp', callback: 'got.it[0]' });
  assert.match(script.headers.get('content-type') ?? '', /javascript/);
  assert.is(script.headers.get('cross-origin-resource-policy'), 'cross-origin');
  assert.is(simple.headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.is(
    JSON.parse(/^got\.it\[0\]\((.*)\)$/s.exec(script.text)?.[1] ?? '').longurl,
    'https://example.com/x',
  );
  const bad = await ask({ action: 'version', format: 'jsonp', callback: 'alert(1)//' });
  assert.is(bad.status, 400);
  assert.not.ok(bad.text.includes('alert'));
});

test('visits are exact, and only of own links', async () => {
  for (const [keyword, visits] of [
    ['few-1', 1],
    ['many-1', 3],
    ['none-1', 0],
  ] as const) {
    await shorten(`https://example.com/${keyword}`, { keyword });
    for (let n = 0; n < visits; n += 1) await follow(keyword);
  }
  const { body } = await ask({ action: 'url-stats', shorturl: 'many-1' });
  assert.is(body.link.clicks, 3);
  assert.is(body.link.url, 'https://example.com/many-1');
  const listed = async (filter: string, limit = '2') => {
    const { body } = await ask({ action: 'stats', filter, limit });
    return [body.stats, Object.values(body.links).map((link) => (link as { clicks: number }).clicks)];
  };
  const stats = { total_links: 3, total_clicks: 4 };
  assert.equal(await listed('top'), [stats, [3, 1]]);
  assert.equal(await listed('bottom'), [stats, [0, 1]]);
  assert.equal(await listed('last'), [stats, [0, 3]]);
  assert.is((await listed('rand', '3'))[1]?.length, 3);
  assert.equal(await listed('unknown'), [stats, [3, 1]]);
  assert.equal((await ask({ action: 'db-stats' })).body['db-stats'], stats);
  user = await server.account();
  assert.is((await ask({ action: 'url-stats', shorturl: 'many-1' })).status, 404);
  assert.equal((await ask({ action: 'db-stats' })).body['db-stats'], { total_links: 0, total_clicks: 0 });
});

test('refusals are in its words', async () => {
  await shorten('https://example.com/1', { keyword: 'taken-1' });
  const taken = await shorten('https://example.com/2', { keyword: 'taken-1' });
  assert.is(taken.status, 400);
  assert.equal([taken.body.status, taken.body.code, taken.body.statusCode], ['fail', 'error:keyword', '400']);
  assert.is((await shorten('javascript:alert(1)')).body.status, 'fail');
  assert.is((await shorten('')).status, 400);
  assert.is((await ask({ action: 'expand', shorturl: 'nothing-1' })).body.errorCode, '404');
  for (const action of ['nonsense', 'constructor', '__proto__', 'toString'])
    assert.is((await ask({ action })).status, 400, action);
  assert.is((await ask({ action: 'stats', filter: 'constructor' })).status, 200);
  const wrong = await ask({ action: 'version', signature: 'wrong' });
  assert.is(wrong.status, 403);
  assert.is(wrong.body.errorCode, '403');
  assert.is(
    (await ask({ action: 'version', signature: '', username: 'me', password: user.key })).status,
    200,
  );
});

test.run();
