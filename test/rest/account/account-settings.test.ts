import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SOCIALS } from '../../../routers/base/socials.js';
import { startServer, type TestServer } from '../../harness.js';

interface World {
  server: TestServer;
}
const settings = suite<World>('account settings');

settings.before(async (world) => {
  world.server = await startServer();
});
settings.after(({ server }) => server.close());

const read = async (server: TestServer, key: string, name: 'url' | 'webhook') => {
  const { status, body } = await server.request('GET', `/user/get/@me/settings/${name}`, { key });
  assert.is(status, 200);
  return body.message;
};
const patch = (server: TestServer, key: string, name: 'url' | 'webhook', json: unknown) =>
  server.request('PATCH', `/user/get/@me/settings/${name}`, { key, json });

settings(
  'PATCH of the URL settings answers 204 without a body and sets userPreference',
  async ({ server }) => {
    const { key } = await server.account();
    assert.equal(await read(server, key, 'url'), { image: null, paste: null, url: null });
    const answer = await patch(server, key, 'url', { paste: 'raw', url: 'SHORT' });
    assert.is(answer.status, 204);
    assert.is(answer.text, '');
    assert.equal(await read(server, key, 'url'), { image: null, paste: 'RAW', url: 'SHORT' });
    const paste = await server.request('POST', '/paste/create', { key, json: { text: 'x' } });
    const { urlSet } = paste.body.message;
    assert.is(urlSet.userPreference, urlSet.rawUrl);
  },
);

settings('absent fields stay; null and "" clear; unknown fields are ignored', async ({ server }) => {
  const { key } = await server.account();
  await patch(server, key, 'url', { image: 'PORTAL', paste: 'RAW', url: 'SHORT', role: 'OWNER' });
  await patch(server, key, 'url', { image: null, paste: '' });
  assert.equal(await read(server, key, 'url'), { image: null, paste: null, url: 'SHORT' });
});

settings('400 for an unknown preference', async ({ server }) => {
  const { key } = await server.account();
  for (const image of ['PAGE', 7, {}, ['RAW']])
    assert.is((await patch(server, key, 'url', { image })).status, 400, JSON.stringify(image));
});

settings('concurrent changes are all kept', async ({ server }) => {
  const { key } = await server.account();
  await Promise.all([
    patch(server, key, 'url', { image: 'RAW' }),
    patch(server, key, 'url', { paste: 'RAW' }),
    patch(server, key, 'url', { url: 'RAW' }),
  ]);
  assert.equal(await read(server, key, 'url'), { image: 'RAW', paste: 'RAW', url: 'RAW' });
});

settings('embed settings and the webhook are stored; the secret is never returned', async ({ server }) => {
  const { key } = await server.account();
  const given = {
    enabled: true,
    title: '{filetype} by {username}',
    titleUrl: '{url}',
    description: 'size {size}',
    color: '#AbCdEf',
    authorName: 'me',
    url: 'https://hooks.example.com/services/T000/B000/secret-path',
    format: 'Slack',
    events: ['image.created', 'url.exhausted'],
    secret: 'a signing secret',
  };
  assert.is((await patch(server, key, 'webhook', given)).status, 204);
  const { secret: _secret, ...shown } = given;
  assert.equal(await read(server, key, 'webhook'), {
    ...shown,
    format: 'slack',
    hasSecret: true,
    disabledAt: null,
  });
  await patch(server, key, 'webhook', { color: 'Random' });
  assert.is((await read(server, key, 'webhook')).color, 'random');
  await patch(server, key, 'webhook', { title: '', color: null, url: null, events: null, secret: '' });
  const cleared = await read(server, key, 'webhook');
  assert.equal(
    [cleared.title, cleared.color, cleared.url, cleared.hasSecret, cleared.enabled, cleared.authorName],
    [null, null, null, false, true, 'me'],
  );
  assert.is(cleared.events.length, 9);
});

settings('the embed settings are part of upload records', async ({ server }) => {
  const { key } = await server.account();
  const upload = async () => {
    const form = new FormData();
    form.set('file', new File(['some text'], 'a.txt'));
    return (await server.request('POST', '/image/upload', { key, form })).body.message.webhookSettings;
  };
  assert.is(await upload(), null);
  await patch(server, key, 'webhook', { enabled: true, title: 'T' });
  assert.is((await upload()).title, 'T');
});

settings('400 for settings that cannot work', async ({ server }) => {
  const { key } = await server.account();
  const bad = [
    { url: 'http://hooks.example.com/x' },
    { url: 'https://127.0.0.1/x' },
    { url: 'https://user:pass@hooks.example.com/' },
    { url: 'ftp://hooks.example.com' },
    { url: 'nonsense' },
    { color: 'red' },
    { color: '#12345' },
    { titleUrl: 'javascript:alert(1)' },
    { format: 'xml' },
    { events: ['image.viewed'] },
    { enabled: 'perhaps' },
    { title: 'x'.repeat(201) },
    { title: { toString: 'x' } },
  ];
  for (const json of bad)
    assert.is((await patch(server, key, 'webhook', json)).status, 400, JSON.stringify(json));
});

settings('OUTBOUND_ALLOW permits webhooks to a listed address, also over http', async () => {
  const server = await startServer({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  try {
    const { key } = await server.account();
    assert.is((await patch(server, key, 'webhook', { url: 'http://127.0.0.1:9/x' })).status, 204);
    for (const url of ['http://10.0.0.1/x', 'http://nobody.invalid/x'])
      assert.is((await patch(server, key, 'webhook', { url })).status, 400, url);
  } finally {
    await server.close();
  }
});

settings(
  'PATCH /user/me/socials answers 200, the uid as uniqueId, and every known platform',
  async ({ server }) => {
    const account = await server.account();
    const change = (json: unknown) => server.request('PATCH', '/user/me/socials', { key: account.key, json });
    const answer = await change({
      github: ' octo ',
      website: 'https://example.com',
      unknown: 'x',
      role: 'OWNER',
    });
    assert.is(answer.status, 200);
    assert.is(answer.body.uniqueId, String(account.id));
    assert.equal(Object.keys(answer.body.message).sort(), [...SOCIALS].sort());
    assert.is(answer.body.message.github, 'octo');
    const second = await change({ website: null, twitter: 'bird' });
    assert.equal(
      [second.body.message.website, second.body.message.github, second.body.message.twitter],
      [null, 'octo', 'bird'],
    );
    for (const json of [
      { github: 'x'.repeat(201) },
      { website: 'javascript:alert(1)' },
      { discord: 'two\nlines' },
      { discord: 'flip\u202e' },
      { github: 7 },
    ])
      assert.is((await change(json)).status, 400, JSON.stringify(json));
    assert.is((await server.request('PATCH', '/user/me/socials', { json: {} })).status, 401);
  },
);

settings('the answer to a login stays under 2 KB, however many links the account has', async ({ server }) => {
  const account = await server.account();
  const json = Object.fromEntries(
    SOCIALS.map((name) => [name, `https://www.${name}.example/${'x'.repeat(120)}`]),
  );
  assert.is((await server.request('PATCH', '/user/me/socials', { key: account.key, json })).status, 200);
  const { email, password } = account;
  const answer = await server.request('POST', '/auth/login', { json: { email, password } });
  assert.is(answer.status, 200);
  assert.ok(Buffer.byteLength(answer.text) < 2_048, answer.text);
  assert.equal([answer.body.message.id, answer.body.message.apiKey], [account.id, account.key]);
  const me = await server.request('GET', '/user/get/@me', { key: account.key });
  assert.is(me.body.message.socials.github, json.github);
});

settings.run();
