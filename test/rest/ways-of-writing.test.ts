/** Clients write the same request in many ways, and all equivalent ways have the same effect. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../harness.js';
import { registerNewcomer } from '../support/accounts/accounts.js';
import { digitsIn, newestMailTo } from '../support/accounts/outbox.js';

interface World {
  server: TestServer;
  user: TestAccount;
}

const ways = suite<World>('ways of writing a request');

ways.before(async (world) => {
  world.server = await startServer();
  world.user = await world.server.account();
});
ways.after(({ server }) => server.close());

const WEBHOOK = '/user/get/@me/settings/webhook';

for (const written of [
  'events=image.created&events=url.created',
  'events[]=image.created&events[]=url.created',
]) {
  ways(`a list in a form: ${written}`, async ({ server, user }) => {
    const patched = await server.request('PATCH', WEBHOOK, {
      key: user.key,
      form: new URLSearchParams(written),
    });
    assert.is(patched.status, 204, patched.text);
    const { message } = (await server.request('GET', WEBHOOK, { key: user.key })).body;
    assert.equal(message.events, ['image.created', 'url.created']);
  });
}

ways('a form that repeats a single-valued field means its first value', async ({ server, user }) => {
  const form = new URLSearchParams('url=https://one.example&url=https://two.example');
  const made = await server.request('POST', '/url/create', { key: user.key, form });
  assert.is(made.body.message.originalUrl, 'https://one.example');
});

ways(
  'of two names of a field, an empty one hides no value, and clears if there is none',
  async ({ server, user }) => {
    const { key } = user;
    const form = new URLSearchParams('text=&content=words&expiresAt=&expiryDate=2030-01-01');
    const made = await server.request('POST', '/paste/create', { key, form });
    assert.is(made.status, 200, made.text);
    assert.is(made.body.message.expiresAt, '2030-01-01T23:59:59.999Z');
    const { text } = await server.request('GET', `/paste/get/${made.body.uniqueId}?raw=true`, { key });
    assert.is(text, 'words');
    const change = async (json: object) =>
      (await server.request('PATCH', `/paste/get/${made.body.uniqueId}`, { key, json })).body.message
        .expiresAt;
    assert.is(await change({ expiresAt: null, expiryDate: '2031-01-01' }), '2031-01-01T23:59:59.999Z');
    assert.is(await change({ title: 'kept' }), '2031-01-01T23:59:59.999Z');
    assert.is(await change({ expiryDate: '' }), null);
    assert.is(await change({ expiryDate: '2031-01-01' }), '2031-01-01T23:59:59.999Z');
    assert.is(await change({ expiresAt: '', expiryDate: null }), null);
  },
);

ways('a date keeps its zone in any form, also when a query has lost the plus sign', async ({ server }) => {
  for (const zone of ['%2B02:00', '+02:00', '%2B0200', '%2B02', '+02', 'Z', '-05:30', '']) {
    const answer = await server.request('GET', `/paste/stats?fromDate=2026-01-31T00:30:00${zone}`);
    assert.is(answer.status, 200, zone);
    const day = zone.includes('02') ? '2026-01-30' : '2026-01-31';
    assert.is(answer.body.message.fromDate.slice(0, 10), day, zone);
  }
});

ways('enum values are case-insensitive', async ({ server, user }) => {
  const json = { events: ['Image.Created', 'PASTE.CREATED'], format: 'JSON', color: 'RANDOM' };
  assert.is((await server.request('PATCH', WEBHOOK, { key: user.key, json })).status, 204);
  const { message } = (await server.request('GET', WEBHOOK, { key: user.key })).body;
  assert.equal(message.events, ['image.created', 'paste.created']);
  assert.is(message.format, 'json');
});

for (const type of [
  undefined,
  'text/plain;charset=UTF-8',
  'application/x-www-form-urlencoded',
  'application/json',
]) {
  ways(
    `JSON under the type ${type ?? 'that fetch makes up'}, with and without a byte order mark`,
    async ({ server, user }) => {
      for (const mark of ['', '\uFEFF']) {
        const body = `${mark}${JSON.stringify({ url: 'https://target.example' })}`;
        const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
        const made = await server.request('POST', '/url/create', { key: user.key, body, headers });
        assert.is(made.status, 200, made.text);
        assert.is(made.body.message.originalUrl, 'https://target.example');
      }
    },
  );
}

for (const none of ['', 'null', 'undefined'])
  ways(`an unfilled field counts as absent: ${none || 'empty'}`, async ({ server, user }) => {
    const { key } = user;
    const json = { fromDate: none, toDate: none, fillMissing: true, limit: none };
    const stats = await server.request('POST', '/stats/all', { key, json });
    assert.is(stats.body.message.imagesPerDay.length, 7, stats.text);
    for (const path of ['/image/stats', '/paste/stats'])
      assert.is((await server.request('GET', `${path}?fromDate=${none}&toDate=${none}`)).status, 200);
    const admin = `/admin/user/${user.id}/images?from=${none}&to=${none}&limit=${none}&content=${none}`;
    assert.is((await server.request('GET', admin, { key: server.owner.key })).status, 200);
    const link = { url: 'https://target.example', uniqueId: none, maxUses: none, expiresAt: none };
    const made = await server.request('POST', '/url/create', { key, json: link });
    assert.is(made.body.message.maxUses, -1, made.text);
    assert.is(made.body.message.expiresAt, null);
    assert.match(made.body.uniqueId, /^[A-Z0-9]{8}$/);
  });

ways('fields left empty in an administrator form stay unchanged', async ({ server }) => {
  const { key } = server.owner;
  const { id, username, email, password } = await server.account();
  const untouched = { username: '', email: '', role: '', password: '' };
  const changed = await server.request('PUT', `/admin/user/${id}`, { key, json: untouched });
  assert.is(changed.status, 200, changed.text);
  assert.equal([changed.body.message.username, changed.body.message.role], [username, 'USER']);
  const login = await server.request('POST', '/auth/login', { json: { email, password } });
  assert.is(login.status, 200, 'the password is the old one');
  const json = { username: 'withoutrole', email: 'without@example.com', password, role: '' };
  const made = await server.request('POST', '/user/create', { key, json });
  assert.is(made.body.message.role, 'USER', made.text);
  for (const list of ['user/get?search=&role=&status=', 'system/auditlog?event=&uid='])
    assert.is((await server.request('GET', `/admin/${list}`, { key })).status, 200, list);
});

ways('the @ of @me may be percent-encoded', async ({ server, user }) => {
  for (const path of ['/user/get/%40me', '/user/get/%40me/settings/url', '/user/get/%40me/uploaders'])
    assert.is((await server.request('GET', path, { key: user.key })).status, 200, path);
  const other = await server.account();
  const byMail = await server.request('GET', `/user/get/${encodeURIComponent(other.email)}`, {
    key: user.key,
  });
  assert.is(byMail.body.message.uid, other.id);
});

ways('six digits may be sent as a number', async ({ server }) => {
  const { email, verifyToken } = await registerNewcomer(server);
  const code = Number(digitsIn(await newestMailTo(server, email)));
  const headers = { cookie: `verify_token=${verifyToken}` };
  const verified = await server.request('POST', '/auth/verify/email', { headers, json: { code } });
  assert.is(verified.status, 200, verified.text);
});

ways('schema errors are reported in plain words', async ({ server, user }) => {
  const refused: readonly [body: object, message: string][] = [
    [{}, 'url: is missing'],
    [{ url: 5 }, 'url: must be text'],
    [{ url: 'https://a.example', maxUses: 'many' }, 'maxUses: must be a number'],
    [{ url: 'https://a.example', maxUses: 1.5 }, 'maxUses: must be a whole number'],
    [{ url: 'https://a.example', uniqueId: 5 }, 'uniqueId: must be text'],
  ];
  for (const [json, message] of refused) {
    const answer = await server.request('POST', '/url/create', { key: user.key, json });
    assert.is(answer.status, 400);
    assert.is(answer.body.message, message);
  }
  const limits = [
    [1001, 'limit: must be at most 1000'],
    [-1, 'limit: must be at least 0'],
    ['some', 'limit: must be a number'],
    [1.5, 'limit: must be a whole number'],
  ];
  for (const [limit, message] of limits) {
    const answer = await server.request('POST', '/stats/all', { key: user.key, json: { limit } });
    assert.is(answer.body.message, message);
  }
});

ways.run();
