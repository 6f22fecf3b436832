/** A key is the same credential however its client sends it (contract, Credentials). */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { cookies, sessionOf } from '../../support/accounts/accounts.js';

const test = suite('carriers of a key');
let server: TestServer;
let user: TestAccount;
test.before(async () => {
  server = await startServer({ CORS_ORIGINS: 'https://app.example' });
  user = await server.account();
});
test.after(() => server.close());

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`;
/** Every form of `Authorization` that holds a key. */
const CARRIERS: Readonly<Record<string, (key: string) => string>> = {
  Bearer: (key) => `Bearer ${key}`,
  'bearer in lower case': (key) => `bearer ${key}`,
  'Basic, as password': (key) => basic(`anybody:${key}`),
  'Basic, as password without a name': (key) => basic(`:${key}`),
  'Basic, as user name': (key) => basic(`${key}:`),
};
const ask = (method: string, path: string, authorization: string, more: object = {}): Promise<Answer> =>
  server.request(method, path, { headers: { authorization }, ...more });
const named = async (json: object): Promise<string> =>
  (await server.request('POST', '/user/get/@me/keys', { key: user.key, json })).body.message.key;

for (const [name, carry] of Object.entries(CARRIERS)) {
  test(`${name}: REST, tRPC, the hot path and resumable uploads take the key`, async () => {
    const carried = carry(user.key);
    assert.is((await ask('GET', '/auth/me', carried)).body.message.id, user.id);
    assert.is((await ask('GET', '//trpc/user.me', carried)).status, 200);
    const form = new FormData();
    form.set('file', new File(['only mine'], 'a.txt'));
    form.set('private', 'true');
    const made = await ask('POST', '/image/upload', carried, { form });
    assert.is(made.status, 200, made.text);
    const path = `/image/get/${made.body.uniqueId}`;
    assert.is((await ask('GET', path, carried)).text, 'only mine');
    assert.is((await ask('GET', path, carry('wrong'))).status, 403);
    const begun = await server.request('POST', '/image/upload/resumable', {
      headers: { authorization: carried, 'tus-resumable': '1.0.0', 'upload-length': '5' },
    });
    assert.is(begun.status, 201);
  });

  test(`${name}: a named key keeps its bounds`, async () => {
    const reader = carry(await named({ name: `r ${name}`, scopes: ['images:read'] }));
    assert.is((await ask('GET', '/user/me/images', reader)).status !== 401, true);
    const refused = await ask('POST', '/url/create', reader, { json: { url: 'https://a.example' } });
    assert.equal([refused.status, /lacks the scope/.test(refused.text)], [403, true]);
    const adder = carry(await named({ name: `c ${name}`, scopes: ['urls:write'], createOnly: true }));
    const made = await ask('POST', '/url/create', adder, { json: { url: 'https://a.example' } });
    assert.is(made.status, 200, made.text);
    assert.is((await ask('DELETE', `/url/get/${made.body.uniqueId}`, adder)).status, 403);
  });
}

test('the header decides, then a live session, then Authorization, then the form field', async () => {
  const other = await server.account();
  const idOf = async (headers: Record<string, string>) =>
    (await server.request('GET', '/auth/me', { headers })).body.message?.id ?? null;
  const { cookie: session } = cookies({ session_token: await sessionOf(server, other) });
  const mine = `Bearer ${user.key}`;
  assert.is(await idOf({ 'x-api-key': other.key, authorization: mine }), other.id);
  assert.is(await idOf({ 'x-api-key': 'wrong', authorization: mine }), null);
  assert.is(await idOf({ cookie: session, authorization: mine }), other.id);
  assert.is(await idOf({ cookie: 'session_token=over', authorization: mine }), user.id);
  const form = new FormData();
  form.set('file', new File(['x'], 'a.txt'));
  form.set('key', other.key);
  const owned = async (authorization: string) =>
    (await ask('POST', '/image/upload', authorization, { form })).body.message.uploader.id;
  assert.is(await owned(mine), user.id);
  assert.is(await owned('Bearer of-a-proxy'), other.id);
});

test('an Authorization that is no key of ours, or of another scheme, counts as absent', async () => {
  for (const authorization of [
    'Bearer of-a-proxy',
    basic('admin:secret'),
    basic('no colon'),
    'Basic %%%',
    'Bearer',
    '',
    'Digest username="a"',
    `Token ${user.key}`,
  ]) {
    assert.is((await ask('GET', '/status', authorization)).status, 200, authorization);
    const refused = await ask('GET', '/auth/me', authorization);
    assert.equal([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'], authorization);
    assert.not.match(refused.text, user.key);
  }
  assert.is((await server.request('GET', '//trpc/user.me')).headers.get('www-authenticate'), 'Bearer');
});

test('pages of CORS_ORIGINS may send it, and the cross-site check treats it as X-API-Key', async () => {
  const origin = 'https://app.example';
  const preflight = await server.request('OPTIONS', '/auth/me', {
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  });
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
  const elsewhere = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' };
  const statusOf = async (headers: Record<string, string>) =>
    (
      await server.request('POST', '/url/create', {
        headers: { ...elsewhere, ...headers },
        json: { url: 'https://a.example' },
      })
    ).status;
  assert.is(
    await statusOf({ 'x-api-key': user.key }),
    await statusOf({ authorization: `Bearer ${user.key}` }),
  );
  const { cookie: session } = cookies({ session_token: await sessionOf(server, user) });
  assert.is(await statusOf({ cookie: session, authorization: `Bearer ${user.key}` }), 403);
});

test('Basic credentials that another site makes a browser send change nothing; what a script or a program sends does', async () => {
  const create = async (headers: Record<string, string>) =>
    (await server.request('POST', '/url/create', { headers, json: { url: 'https://a.example' } })).status;
  const authorization = basic(`anybody:${user.key}`);
  for (const site of ['cross-site', 'same-site'])
    for (const carried of [authorization, authorization.replace('Basic', 'bAsIc'), basic(`${user.key}:`)])
      for (const origin of [{}, { origin: 'https://other.example' }])
        assert.is(await create({ authorization: carried, 'sec-fetch-site': site, ...origin }), 403, site);
  for (const headers of [
    { authorization },
    { authorization, 'sec-fetch-site': 'same-origin' },
    { authorization, 'sec-fetch-site': 'cross-site', origin: 'https://app.example' },
    { authorization, 'sec-fetch-site': 'cross-site', 'x-api-key': user.key },
    { authorization: `Bearer ${user.key}`, 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[])
    assert.is(await create(headers), 200, JSON.stringify(headers));
  const read = { headers: { authorization, 'sec-fetch-site': 'cross-site' } };
  assert.is((await server.request('GET', '/auth/me', read)).status, 200);
});

test.run();
