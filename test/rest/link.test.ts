// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fileForm, startServer, type TestAccount, type TestServer } from '../harness.js';

let server: TestServer;
let user: TestAccount;
let other: TestAccount;

const group = (name: string) => suite(`url: ${name}`);
const create = (json: object, key = user.key) => server.request('POST', '/url/create', { key, json });
const make = async (json: object = {}, key = user.key) =>
  (await create({ url: 'https://example.com/page', ...json }, key)).body.message;

const setup = suite('url: setup');
setup('a server with two accounts', async () => {
  server = await startServer({ SHORT_IMAGE_URL: 'http://i.example.net' });
  user = await server.account();
  other = await server.account();
});
setup.run();

const created = group('POST /url/create 200');
created('answers the record in the envelope', async () => {
  const { status, body } = await create({ url: 'https://example.com/a?b=c#d' });
  assert.is(status, 200);
  assert.is(body.error, false);
  assert.match(body.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.match(body.uniqueId, /^[A-Z0-9]{8}$/);
  const { message } = body;
  assert.is(message.uniqueId, body.uniqueId);
  assert.is(message.originalUrl, 'https://example.com/a?b=c#d');
  assert.is(message.visits, 0);
  assert.is(message.maxUses, -1);
  assert.is(message.expiresAt, null);
  assert.is(message.uploader.uid, user.id);
  assert.is(message.urlSet.rawUrl, `${server.base}/url/r/${body.uniqueId}`);
  assert.is(message.urlSet.shortUrl, `${server.origin}/r/${body.uniqueId}`);
  assert.is(message.urlSet.webUrl, `${server.origin}/web/url-render/${body.uniqueId}`);
  assert.is(message.urlSet.portalUrl, message.urlSet.webUrl);
  assert.is(message.urlSet.deleteUrl, `${server.base}/url/get/${body.uniqueId}`);
});
created('takes a form as well as JSON', async () => {
  const form = new URLSearchParams({ url: 'example.com', maxUses: '3', expiresAt: '' });
  const { status, body } = await server.request('POST', '/url/create', { key: user.key, form });
  assert.is(status, 200);
  assert.is(body.message.originalUrl, 'https://example.com');
  assert.is(body.message.maxUses, 3);
});
created('adds https:// where the scheme is missing, and changes nothing else', async () => {
  for (const [given, kept] of [
    ['  example.com/ä b?x=%zz ', 'https://example.com/ä b?x=%zz'],
    ['localhost.example:8080/x', 'https://localhost.example:8080/x'],
    ['//example.com', 'https://example.com'],
    ['HTTP://EXAMPLE.com', 'HTTP://EXAMPLE.com'],
  ]) {
    const { status, body } = await create({ url: given });
    assert.is(status, 200, given);
    assert.is(body.message.originalUrl, kept);
  }
});
created('a host with a port is no scheme, whatever its name', async () => {
  for (const url of ['example.com:8080/x', 'localhost:3000', 'foo:80', 'tel.example:112', '192.0.2.1:80'])
    assert.is((await make({ url })).originalUrl, `https://${url}`);
  assert.is((await make({ url: 'http://tel:112' })).originalUrl, 'http://tel:112');
});
created('keeps a requested id, unique regardless of case', async () => {
  assert.is((await create({ url: 'example.com', uniqueId: 'My-Link_1' })).body.uniqueId, 'My-Link_1');
  assert.is((await create({ url: 'example.com', uniqueId: 'my-link_1' })).status, 400);
  assert.is((await server.request('GET', '/url/r/MY-LINK_1')).status, 301);
});
created('answers the bare link to tools that ask for text', async () => {
  const options = {
    key: user.key,
    form: new URLSearchParams({ url: 'example.com' }),
    headers: { accept: 'text/plain' },
  };
  const { status, text, headers } = await server.request('POST', '/url/create', options);
  assert.is(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/plain/);
  assert.match(text, new RegExp(`^${server.origin}/r/[A-Z0-9]{8}$`));
});
created('null and -1 uses mean unlimited', async () => {
  assert.is((await make({ maxUses: null })).maxUses, -1);
  assert.is((await make({ maxUses: -1 })).maxUses, -1);
});
created.run();

const refused = group('POST /url/create 400');
for (const [why, json] of Object.entries({
  'no address': {},
  'an empty address': { url: '  ' },
  'no web address': { url: 'https://' },
  'a word': { url: 'not-an-address' },
  'a sentence': { url: 'not an address.' },
  dots: { url: '..' },
  'a script': { url: 'javascript:alert(1)' },
  'a script with tricks': { url: 'java\nscript:alert(1)' },
  'a data address': { url: 'data:text/html,x' },
  'a file': { url: 'file:///etc/passwd' },
  'a mail address': { url: 'mailto:a@b.example' },
  'a telephone number that looks like a port': { url: 'tel:110' },
  'a text message to a number, in capitals': { url: 'SMS:70700/x' },
  'a script that looks like a port': { url: 'javascript:0?1' },
  'a telephone number after an invisible character': { url: '\u200btel:110' },
  'http before a number': { url: 'http:80' },
  'a host that is no international name': { url: 'https://xn--a.example/' },
  'a host with an empty label': { url: 'https://example..com/' },
  'a host with a label that is too long in its ASCII form': { url: `https://${'ü'.repeat(60)}.example/` },
  credentials: { url: 'https://user:pass@example.com' },
  'a user name': { url: 'https://user@example.com' },
  'an address of 9,000 characters': { url: `https://example.com/${'x'.repeat(9000)}` },
  'a header': { url: 'https://example.com/\r\nSet-Cookie: a=b' },
  'a number': { url: 7 },
  'no uses': { url: 'example.com', maxUses: 0 },
  'negative uses': { url: 'example.com', maxUses: -2 },
  'half a use': { url: 'example.com', maxUses: 1.5 },
  'uses in words': { url: 'example.com', maxUses: 'many' },
  'a bad id': { url: 'example.com', uniqueId: 'a b' },
  'an id of 129 characters': { url: 'example.com', uniqueId: 'x'.repeat(129) },
  'an end in the past': { url: 'example.com', expiresAt: '2020-01-01' },
  'an end that is no date': { url: 'example.com', expiresAt: 'soon' },
  'a password of two characters': { url: 'example.com', password: 'ab' },
})) {
  refused(`refuses ${why}`, async () => {
    const { status, body } = await create(json);
    assert.is(status, 400);
    assert.is(body.error, true);
    assert.type(body.message, 'string');
    assert.ok(body.message.length > 0);
  });
}
refused('refuses loops to this service, on each of its hosts', async () => {
  for (const url of [
    server.origin,
    `${server.origin}/v1/url/r/x`,
    'http://i.example.net/x',
    'i.example.net',
  ]) {
    assert.is((await create({ url })).status, 400, url);
  }
  assert.is((await create({ url: server.origin.replace('localhost', '127.0.0.1') })).status, 400);
  for (const self of ['[::ffff:127.0.0.1]', '[::]', '127.9.9.9'])
    assert.is((await create({ url: server.origin.replace('localhost', self) })).status, 400, self);
});
refused('refuses what is not a JSON object', async () => {
  for (const body of ['{', '[]', '"x"', 'null', '{"url":']) {
    const headers = { 'content-type': 'application/json' };
    const answer = await server.request('POST', '/url/create', { key: user.key, body, headers });
    assert.is(answer.status, 400, body);
  }
});
refused('a __proto__ in the body changes nothing', async () => {
  const options = {
    key: user.key,
    body: '{"__proto__":{"url":"example.com"},"constructor":{"prototype":{"x":1}}}',
    headers: { 'content-type': 'application/json' },
  };
  assert.is((await server.request('POST', '/url/create', options)).status, 400);
  assert.is(({} as { url?: string }).url, undefined);
});
refused.run();

const keys = group('401 and 403');
keys('a missing or wrong key is 401', async () => {
  assert.is((await server.request('POST', '/url/create', { json: { url: 'example.com' } })).status, 401);
  assert.is((await create({ url: 'example.com' }, 'wrong')).status, 401);
  assert.is((await server.request('GET', '/url/get/abc/logs')).status, 401);
  assert.is((await server.request('DELETE', '/url/get/abc')).status, 401);
});
keys('a key is case-insensitive, and accepted in the form field key', async () => {
  assert.is((await create({ url: 'example.com' }, user.key.toUpperCase())).status, 200);
  const form = new URLSearchParams({ url: 'example.com', key: user.key });
  assert.is((await server.request('POST', '/url/create', { form })).status, 200);
});
keys('guests, banned and unverified accounts cannot create', async () => {
  for (const [role, status] of [
    ['GUEST', 'ACTIVE'],
    ['BANNED', 'ACTIVE'],
    ['USER', 'PENDING'],
  ] as const) {
    const account = await server.account(role, { status });
    assert.is((await create({ url: 'example.com' }, account.key)).status, 403, role);
  }
});
keys('logs are found by the id of their link, however it is written', async () => {
  const { uniqueId } = (await create({ url: 'example.com', uniqueId: 'My-Logs' })).body;
  const { body } = await server.request('GET', '/url/get/my-LOGS/logs', { key: user.key });
  assert.equal([body.uniqueId, body.message, body.count], [uniqueId, [], 0]);
});
keys('only the owner and administrators see logs; only the owner and moderators delete', async () => {
  const link = await make();
  const moderator = await server.account('MODERATOR');
  const admin = await server.account('ADMIN');
  const logs = (key: string) => server.request('GET', `/url/get/${link.uniqueId}/logs`, { key });
  assert.is((await logs(other.key)).status, 401);
  assert.is((await logs(moderator.key)).status, 401);
  assert.is((await logs(admin.key)).status, 200);
  assert.is((await server.request('DELETE', `/url/get/${link.uniqueId}`, { key: other.key })).status, 401);
  assert.is(
    (await server.request('DELETE', `/url/get/${link.uniqueId}`, { key: moderator.key })).status,
    200,
  );
});
keys.run();

const redirect = group('GET /url/r 301');
redirect('gives the host in ASCII, and everything else as it was given', async () => {
  for (const [url, location] of [
    [
      'https://Bücher.example:8443/Straße?q=ö&x=%zz#ü',
      'https://xn--bcher-kva.example:8443/Stra%C3%9Fe?q=%C3%B6&x=%zz#%C3%BC',
    ],
    ['https://日本語。example', 'https://xn--wgv71a119e.example'],
    ['https://b%C3%BCcher.example', 'https://xn--bcher-kva.example'],
    ['https://[2001:db8::1]:8443/é', 'https://[2001:db8::1]:8443/%C3%A9'],
    ['HTTPS://WWW.EXAMPLE.com:443', 'HTTPS://WWW.EXAMPLE.com:443'],
  ] as const) {
    const link = await make({ url });
    assert.is(link.originalUrl, url.includes('://') ? url : `https://${url}`);
    for (const method of ['GET', 'HEAD'])
      assert.is((await server.request(method, `/url/r/${link.uniqueId}`)).headers.get('location'), location);
  }
});
redirect('redirects to the address, uncached, and counts one visit', async () => {
  const link = await make({ url: 'example.com/ü?q=a b' });
  const { status, headers } = await server.request('GET', `/url/r/${link.uniqueId}`, {
    headers: { 'user-agent': 'probe/1' },
  });
  assert.is(status, 301);
  assert.is(headers.get('location'), 'https://example.com/%C3%BC?q=a b');
  assert.is(headers.get('cache-control'), 'no-store');
  const { body } = await server.request('GET', `/url/get/${link.uniqueId}?logs=true`, { key: user.key });
  assert.is(body.message.visits, 1);
  assert.is(body.message.logs[0].userAgent, 'probe/1');
  assert.is(body.message.logs[0].ipAddress, '127.0.0.1');
  assert.equal(body.message.urlLogs, body.message.logs);
});
redirect('HEAD redirects too and counts nothing', async () => {
  const link = await make();
  assert.is((await server.request('HEAD', `/url/r/${link.uniqueId}`)).status, 301);
  assert.is((await server.request('GET', `/url/get/${link.uniqueId}`)).body.message.visits, 0);
});
redirect('of 200 concurrent visits to a link with 10 uses exactly 10 succeed', async () => {
  const link = await make({ maxUses: 10 });
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => server.request('GET', `/url/r/${link.uniqueId}`)),
  );
  assert.is(answers.filter((answer) => answer.status === 301).length, 10);
  assert.is(answers.filter((answer) => answer.status === 404).length, 190);
  const { body } = await server.request('GET', `/url/get/${link.uniqueId}/logs`, { key: user.key });
  assert.is(body.count, 10);
  assert.is(body.uniqueId, link.uniqueId);
});
redirect('logs concurrent visits each with its own headers', async () => {
  const link = await make();
  const agents = ['probe/1', 'probe/2', 'probe/3'];
  await Promise.all(
    Array.from({ length: 120 }, (_, index) =>
      server.request('GET', `/url/r/${link.uniqueId}`, {
        headers: { 'user-agent': agents[index % 3] ?? '', referer: `https://example.net/${index}` },
      }),
    ),
  );
  const { body } = await server.request('GET', `/url/get/${link.uniqueId}?logs=true`, { key: user.key });
  assert.is(body.message.visits, 120);
  const logged = body.message.logs.map((log: { userAgent: string }) => log.userAgent);
  for (const agent of agents) assert.is(logged.filter((name: string) => name === agent).length, 40);
});
redirect('/r/{id} counts like /url/r, at the host root and under /v1', async () => {
  const link = await make();
  assert.is((await server.request('GET', `//r/${link.uniqueId}`)).status, 301);
  assert.is((await server.request('GET', `/r/${link.uniqueId.toLowerCase()}`)).status, 301);
  assert.is((await server.request('GET', `/url/get/${link.uniqueId}`)).body.message.visits, 2);
});
redirect.run();

const gone = group('404');
gone('an unknown id, in every route', async () => {
  for (const [method, path] of [
    ['GET', '/url/get/NOSUCHID'],
    ['GET', '/url/r/NOSUCHID'],
    ['GET', '/url/get/NOSUCHID/logs'],
    ['DELETE', '/url/get/NOSUCHID'],
    ['GET', '/r/NOSUCHID'],
  ] as const) {
    const { status, body } = await server.request(method, path, { key: user.key });
    assert.is(status, 404, path);
    assert.is(body.message, 'Resource not found');
    assert.is(body.uniqueId, 'NOSUCHID');
  }
});
gone('a used-up link: 404 for strangers, still visible to its owner and administrators', async () => {
  const link = await make({ maxUses: 1 });
  await server.request('GET', `/url/r/${link.uniqueId}`);
  const get = (key?: string) => server.request('GET', `/url/get/${link.uniqueId}`, { key });
  assert.is((await get()).status, 404);
  assert.is((await get(other.key)).status, 404);
  assert.is((await get(user.key)).status, 200);
  assert.is((await get(server.owner.key)).status, 200);
  assert.is((await server.request('GET', `//r/${link.uniqueId}`)).status, 404);
  const logs = (key: string) => server.request('GET', `/url/get/${link.uniqueId}/logs`, { key });
  assert.is((await logs(user.key)).status, 200);
  assert.is((await logs(other.key)).status, 404);
});
gone('a deleted link, at once', async () => {
  const link = await make();
  const { status, body } = await server.request('DELETE', `/url/get/${link.uniqueId}`, { key: user.key });
  assert.is(status, 200);
  assert.is('message' in body, false);
  assert.is((await server.request('GET', `/url/r/${link.uniqueId}`)).status, 404);
  assert.is((await server.request('DELETE', `/url/get/${link.uniqueId}`, { key: user.key })).status, 404);
});
gone('ids that cannot exist are 400 or 404', async () => {
  for (const id of ['x'.repeat(129), 'x'.repeat(10_000), '%00', 'a%0Ab', '%zz', '..%2f..', '__proto__']) {
    const { status } = await server.request('GET', `/url/get/${id}`);
    assert.ok(status === 400 || status === 404, `${id.slice(0, 20)}: ${status}`);
  }
});
gone.run();

const locked = group('a password');
locked('hides the target and is asked for without counting a visit', async () => {
  const link = await make({ password: 'secret' });
  assert.is(link.requiresPassword, true);
  for (const query of ['', '?password=wrong']) {
    const told = await server.request('GET', `/url/get/${link.uniqueId}${query}`);
    assert.equal([told.status, told.body.message.originalUrl], [200, null], query);
  }
  assert.is((await server.request('GET', `/url/r/${link.uniqueId}`)).status, 403);
  assert.is((await server.request('GET', `/url/r/${link.uniqueId}?password=wrong`)).status, 403);
  const html = await server.request('GET', `/url/r/${link.uniqueId}`, { headers: { accept: 'text/html' } });
  assert.is(html.status, 302);
  assert.is(html.headers.get('location'), link.urlSet.webUrl);
  assert.is((await server.request('GET', `/url/get/${link.uniqueId}`)).body.message.visits, 0);
});
locked('opens with ?password= and X-Password; the owner needs none', async () => {
  const link = await make({ password: 'secret' });
  assert.is((await server.request('GET', `/url/r/${link.uniqueId}?password=secret`)).status, 301);
  assert.is(
    (await server.request('GET', `/url/r/${link.uniqueId}`, { headers: { 'x-password': 'secret' } })).status,
    301,
  );
  assert.is((await server.request('GET', `/url/r/${link.uniqueId}`, { key: user.key })).status, 301);
  assert.is((await server.request('GET', `/url/get/${link.uniqueId}`)).body.message.visits, 3);
});
locked.run();

const shared = group('an id that two kinds hold');
shared('belongs to the item that was created first; the other links to its page', async () => {
  const image = await server.request('POST', '/image/upload', {
    key: user.key,
    form: (() => {
      const form = new FormData();
      form.set('uniqueId', 'both');
      form.set('file', new File(['data'], 'a.bin'));
      return form;
    })(),
  });
  assert.is(image.status, 200);
  assert.is(image.body.message.urlSet.shortUrl, 'http://i.example.net/both');
  const link = await make({ uniqueId: 'both' });
  assert.is(link.urlSet.shortUrl, link.urlSet.webUrl);
  const followed = await server.request('GET', '//r/both');
  assert.is(followed.status, 302);
  assert.is(followed.headers.get('location'), `${server.origin}/web/image-render/both`);
  await server.request('DELETE', '/image/get/both', { key: user.key });
  assert.is((await server.request('GET', '//r/both')).status, 301);
  assert.is(
    (await server.request('GET', '/url/get/both')).body.message.urlSet.shortUrl,
    `${server.origin}/r/both`,
  );
});
shared('is followed however it is written, including characters that fold to it', async () => {
  const form = fileForm('data', 'a.bin', { uniqueId: 'key' });
  assert.is((await server.request('POST', '/image/upload', { key: user.key, form })).status, 200);
  // The Kelvin sign is a k in lower case, and no header can carry it unencoded.
  const { status, headers } = await server.request('GET', '//r/%E2%84%AAEY');
  assert.is(status, 302);
  assert.is(headers.get('location'), `${server.origin}/web/image-render/%E2%84%AAEY`);
});
shared('a private link is followed for its owner by a key that reads links only', async () => {
  const { uniqueId } = await make();
  const hidden = { key: user.key, json: { private: true } };
  assert.is((await server.request('PATCH', `/url/get/${uniqueId}`, hidden)).status, 200);
  const keyWith = async (scope: string) => {
    const json = { name: scope, scopes: [scope] };
    return (await server.request('POST', '/user/get/@me/keys', { key: user.key, json })).body.message.key;
  };
  const [reader, other] = [await keyWith('urls:read'), await keyWith('pastes:read')];
  const open = (await make()).uniqueId;
  for (const path of ['/url/r/', '//r/'])
    for (const method of ['GET', 'HEAD']) {
      const follow = async (id: string, key: string) =>
        (await server.request(method, path + id, { key })).status;
      assert.is(await follow(uniqueId, reader), 301, `${method} ${path}`);
      assert.is(await follow(uniqueId, other), 403, `${method} ${path}`);
      assert.is(await follow(open, other), 301, 'as for everybody');
    }
});
shared.run();

const teardown = suite('url: teardown');
teardown('stops', () => server.close());
teardown.run();
