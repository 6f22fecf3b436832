// on both databases
/** Presets of campaign parameters, and links that are there already. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { sessionOf } from '../support/accounts/accounts.js';

let server: TestServer;
let user: TestAccount;
let other: TestAccount;
const links = suite('links with presets');
links.before(async () => {
  server = await startServer();
  [user, other] = [await server.account(), await server.account()];
});
links.after(() => server.close());
const PATH = '/user/get/@me/utm';
const create = (json: object, key = user.key) => server.request('POST', '/url/create', { key, json });

links('presets are stored, listed, replaced and deleted, each account its own', async () => {
  const put = (json: object) => server.request('PUT', `${PATH}/spring%20sale`, { key: user.key, json });
  assert.is((await put({ source: 'news letter', medium: 'mail', term: '' })).status, 200);
  const list = (await server.request('GET', PATH, { key: user.key })).body.message;
  const preset = { source: 'news letter', medium: 'mail', campaign: null, term: null, content: null };
  assert.equal(list, [{ name: 'spring sale', ...preset }]);
  assert.equal((await server.request('GET', PATH, { key: other.key })).body.message, []);
  const made = async (url: string) => (await create({ url, utm: 'spring sale' })).body.message.originalUrl;
  assert.is(
    await made('https://example.com/a#b'),
    'https://example.com/a?utm_source=news%20letter&utm_medium=mail#b',
  );
  assert.is(
    await made('example.com/?utm_medium=x'),
    'https://example.com/?utm_medium=x&utm_source=news%20letter',
  );
  assert.is((await create({ url: 'example.com', utm: 'spring sale' }, other.key)).status, 400);
  assert.is((await put({ campaign: 'c' })).body.message.source, null);
  assert.is((await put({})).status, 400);
  assert.is((await put({ source: 'x'.repeat(201) })).status, 400);
  assert.is((await server.request('DELETE', `${PATH}/spring%20sale`, { key: user.key })).status, 200);
  assert.is((await server.request('DELETE', `${PATH}/spring%20sale`, { key: user.key })).status, 404);
  assert.is((await server.request('GET', `${PATH}/spring%20sale`, { key: user.key })).status, 404);
});
links('presets are made, chosen for a new link, changed and removed in pages', async () => {
  const cookie = `session_token=${await sessionOf(server, other)}`;
  const headers = { accept: 'text/html', cookie, origin: server.origin };
  const page = (path: string) => server.request('GET', `/web/${path}`, { headers });
  const send = (path: string, form: Record<string, string>) =>
    server.request('POST', `/web/${path}`, { headers, form: new URLSearchParams(form) });
  assert.is((await send('settings/campaigns', { name: 'Letter' })).status, 400);
  assert.is((await send('settings/campaigns', { name: 'Letter', source: 'mail', term: '' })).status, 303);
  assert.match((await page('settings/campaigns')).text, 'utm_source=mail');
  assert.match((await page('settings/campaigns?edit=Letter')).text, 'value="mail"');
  assert.match((await page('url-create')).text, '<option value="Letter">');
  await send('url-create', { url: 'https://example.com/', uniqueId: 'letter', utm: 'Letter' });
  const { body } = await server.request('GET', '/url/get/letter', { key: other.key });
  assert.is(body.message.originalUrl, 'https://example.com/?utm_source=mail');
  for (const _ of [1, 2])
    assert.is((await send('settings/campaigns', { name: 'Letter', action: 'remove' })).status, 303);
  assert.not.match((await page('settings/campaigns')).text, 'utm_source=mail');
});
links('fifty at once that want one that exists make one', async () => {
  const json = { url: 'https://example.com/same', tags: ['B', 'a'], note: 'n', findIfExists: true };
  const answers = await Promise.all(Array.from({ length: 50 }, () => create(json)));
  assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
  assert.is(new Set(answers.map(({ body }) => body.uniqueId)).size, 1);
  assert.is(answers.filter(({ body }) => body.message.existing === true).length, 49);
  const first = answers[0]?.body.uniqueId;
  assert.is((await create({ ...json, tags: ['b', 'A'] })).body.uniqueId, first);
});
links('another field, another owner, an end or a password make a new one', async () => {
  const json = { url: 'https://example.com/own', findIfExists: true };
  const first = (await create(json)).body.uniqueId;
  const differs = async (more: object, key = user.key) => {
    const { body } = await create({ ...json, ...more }, key);
    assert.is(body.message.existing, undefined, JSON.stringify(more));
    assert.is.not(body.uniqueId, first);
  };
  await differs({}, other.key);
  for (const more of [
    { note: 'x' },
    { tags: ['t'] },
    { maxUses: 3 },
    { private: true },
    { forwardPath: true },
  ])
    await differs(more);
  await differs({ uniqueId: 'wished' });
  await differs({ expiresAt: '2999-01-01T00:00Z' });
  await differs({ rules: [{ when: {}, url: 'https://example.com/x' }] });
  await differs({ password: 'secret' });
  await differs({ password: 'secret' });
  assert.is((await create(json)).body.uniqueId, first);
  assert.is((await create({ ...json, uniqueId: 'wished' })).body.message.existing, true);
  for (const id of [first, 'wished']) await server.request('DELETE', `/url/get/${id}`, { key: user.key });
  await differs({});
});
links.run();
