/** What a new password ends, by each way of setting one. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { saveChatLink } from '../../../db/account/chat-link.js';
import { saveMessengerLink } from '../../../db/account/messenger.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { cookieOf, cookies, sessionOf, signIn } from '../../support/accounts/accounts.js';
import { linkMailedTo } from '../../support/accounts/outbox.js';
import { digitsOf } from '../../support/accounts/second-factor.js';
import { pathOf, tusOf } from '../../support/uploads/tus.js';

interface World {
  server: TestServer;
}
const recovery = suite<World>('recovering an account');

recovery.before(async (world) => {
  world.server = await startServer({ OUTBOUND_ALLOW: '127.0.0.0/8', EMAIL_INBOUND_TOKEN: 'a-mail-worker' });
});
recovery.after(({ server }) => server.close());

const NEW = 'an entirely new one';
const HOOK = 'http://127.0.0.1:9/hook';
let made = 0;

/** An account with everything by which an intruder could keep access. */
async function taken(server: TestServer) {
  const account = await server.account();
  const { key } = account;
  const session = await sessionOf(server, account);
  const mailbox = await server.request('POST', '/email/create', { key, json: {} });
  const begun = pathOf(await tusOf(server).create(key, 10));
  const one = { contentType: 'text/plain', size: 1 };
  const reserved = await server.request('POST', '/image/generate-upload-url', { key, json: one });
  const packed = await server.request('POST', `/files/presigned-url/put?filename=${begun.slice(-9)}.txt`, {
    key,
  });
  const json = { url: HOOK, secret: 'theirs' };
  assert.is((await server.request('PATCH', '/user/get/@me/settings/webhook', { key, json })).status, 204);
  const { services } = server.app;
  const cipher = services.secrets.encrypt('a token');
  made += 1;
  await services.db.write(async (trx) => {
    const connectedAt = Date.now();
    const profile = { username: 'them', globalName: null, avatar: '', email: null, connectedAt };
    const tokens = { accessCipher: cipher, refreshCipher: null, expiresAt: connectedAt + 1e6 };
    await saveChatLink(trx, { userId: account.id, chatId: `chat-${made}`, ...profile, ...tokens });
    const person = {
      messengerId: `m-${made}`,
      chatId: `c-${made}`,
      username: null,
      name: 'them',
      connectedAt,
    };
    await saveMessengerLink(trx, { userId: account.id, ...person });
    const named = { name: 'theirs', is_main: false, key_hash: `hash-${made}`, key_cipher: cipher };
    await trx('api_keys').insert({ user_id: account.id, ...named, created_at: connectedAt });
  });
  return {
    account,
    session,
    begun,
    addresses: [reserved.body.url, packed.body.url] as string[],
    mailbox: mailbox.body.message.email as string,
    mailboxCookie: cookieOf(mailbox, 'mailbox_token'),
  };
}
type Taken = Awaited<ReturnType<typeof taken>>;

const status = async (server: TestServer, path: string, options: object): Promise<number> =>
  (await server.request('GET', path, options)).status;

/** Which of the intruder's ways still work. */
async function waysLeft(server: TestServer, them: Taken) {
  const { account, session, mailbox, mailboxCookie, begun, addresses } = them;
  const put = (url: string) =>
    fetch(url, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } });
  const { db } = server.app.services;
  const rows = async (table: string) => (await db.read(table).where('user_id', account.id)).length;
  return {
    session: await status(server, '/auth/me', { headers: cookies({ session_token: session }) }),
    key: await status(server, '/auth/me', { key: account.key }),
    mailbox: await status(server, `/email/getinfo?email=${encodeURIComponent(mailbox)}`, {
      headers: cookies({ mailbox_token: mailboxCookie }),
    }),
    upload: (await tusOf(server).patch(begun, 0, Buffer.from('abc'))).status,
    addresses: (await Promise.all(addresses.map(put))).filter(({ ok }) => ok).length,
    webhooks: await rows('webhooks'),
    chatLinks: await rows('chat_links'),
    messengerLinks: await rows('messenger_links'),
    keys: await rows('api_keys'),
  };
}

const EVICTED = {
  session: 401,
  key: 401,
  mailbox: 401,
  upload: 404,
  addresses: 0,
  webhooks: 0,
  chatLinks: 0,
  messengerLinks: 0,
  keys: 1,
};
const ENDED = {
  sessions: 1,
  keys: 1,
  webhook: true,
  chatapp: true,
  messenger: true,
  identities: 0,
  passkeys: 0,
};

async function expectEvicted(server: TestServer, them: Taken): Promise<void> {
  assert.equal(await waysLeft(server, them), EVICTED);
  const again = await signIn(server, { ...them.account, password: NEW });
  assert.is(again.status, 200);
  const { apiKey } = again.body.message;
  assert.is.not(apiKey, them.account.key);
  assert.is(await status(server, '/auth/me', { key: apiKey }), 200);
  const log = await server.request('GET', `/admin/system/auditlog?uid=${them.account.id}`, {
    key: server.owner.key,
  });
  const events = new Set(log.body.message.map(({ event }: { event: string }) => event));
  for (const event of [
    'key.replaced',
    'key.deleted',
    'webhook.removed',
    'chatapp.unlinked',
    'messenger.unlinked',
  ])
    assert.ok(events.has(event), `${event} is in the audit log, among ${[...events].join(' ')}`);
}

const setByAdmin = (server: TestServer, { id }: TestAccount, key = server.owner.key) =>
  server.request('PUT', `/admin/user/${id}`, { key, json: { password: NEW } });

recovery('the set-up gives an intruder each of these ways', async ({ server }) => {
  assert.equal(await waysLeft(server, await taken(server)), {
    session: 200,
    key: 200,
    mailbox: 200,
    upload: 204,
    addresses: 2,
    webhooks: 1,
    chatLinks: 1,
    messengerLinks: 1,
    keys: 2,
  });
});

recovery('a reset by mail leaves an intruder no way in', async ({ server }) => {
  const them = await taken(server);
  const { email } = them.account;
  await server.request('POST', '/auth/reset/request', { json: { email } });
  const code = await linkMailedTo(server, email);
  const json = { code, password: NEW };
  const answer = await server.request('POST', '/auth/reset/confirm', { json });
  assert.equal([answer.status, answer.body.message], [200, 'The new password was set']);
  await expectEvicted(server, them);
});

recovery('a password set by an administrator leaves an intruder no way in', async ({ server }) => {
  const them = await taken(server);
  const answer = await setByAdmin(server, them.account, (await server.account('ADMIN')).key);
  assert.equal([answer.status, answer.body.message.ended], [200, ENDED]);
  await expectEvicted(server, them);
});

recovery('the page of the reset, and that of the administrator, say what was removed', async ({ server }) => {
  const all =
    'The named keys were deleted. The webhook was removed. The chat account was unlinked. The messenger account was unlinked.';
  const them = await taken(server);
  const { email } = them.account;
  await server.request('POST', '/auth/reset/request', { json: { email } });
  const form = new URLSearchParams({ code: await linkMailedTo(server, email), password: NEW });
  const reset = await server.request('POST', '//web/password-reset/confirm', { form });
  assert.is(reset.status, 303);
  const told = await server.request('GET', `/${reset.headers.get('location')}`);
  assert.match(told.text, 'there is a new API key');
  assert.match(told.text, all);

  const others = await taken(server);
  const headers = cookies({ session_token: await sessionOf(server, server.owner) });
  const path = `//web/admin/users/${others.account.id}`;
  const set = await server.request('POST', path, {
    headers,
    form: new URLSearchParams({ action: 'save', password: NEW }),
  });
  assert.is(set.status, 303);
  const page = await server.request('GET', `/${set.headers.get('location')}`, { headers });
  assert.match(page.text, 'All sessions of this account have ended');
  assert.match(page.text, all);
});

recovery('a change by the holder keeps the key unless the request says replaceKey', async ({ server }) => {
  const path = '/user/get/@me/password';
  const account = await server.account();
  const session = await sessionOf(server, account);
  const change = (currentPassword: string, newPassword: string, more: object = {}) =>
    server.request('PUT', path, { key: account.key, json: { currentPassword, newPassword, ...more } });
  const kept = await change(account.password, NEW);
  assert.equal(
    [kept.status, kept.body.message, kept.body.apiKey],
    [200, 'The new password was set', undefined],
  );
  assert.is(await status(server, '/auth/me', { key: account.key }), 200);
  assert.is(await status(server, '/auth/me', { headers: cookies({ session_token: session }) }), 401);
  assert.is((await change(NEW, account.password, { replaceKey: false })).status, 200);
  assert.is(await status(server, '/auth/me', { key: account.key }), 200);
  const replaced = await change(account.password, NEW, { replaceKey: true });
  assert.equal([replaced.status, replaced.body.message], [200, 'The new password was set']);
  assert.is(await status(server, '/auth/me', { key: account.key }), 401);
  assert.is(await status(server, '/auth/me', { key: replaced.body.apiKey }), 200);
});

recovery('a named key gets no main key by changing the password', async ({ server }) => {
  const account = await server.account();
  const named = { name: 'tool', scopes: ['account:write'] };
  const given = await server.request('POST', '/user/get/@me/keys', { key: account.key, json: named });
  const json = { currentPassword: account.password, newPassword: NEW, replaceKey: true };
  const { key } = given.body.message;
  assert.is((await server.request('PUT', '/user/get/@me/password', { key, json })).status, 403);
  assert.is((await signIn(server, account)).status, 200);
});

recovery(
  'the page of the holder replaces the key while its box is ticked, as it is at first',
  async ({ server }) => {
    const account = await server.account();
    const own = async (password: string) =>
      cookies({ session_token: await sessionOf(server, { ...account, password }) });
    const page = await server.request('GET', '//web/settings/security', {
      headers: await own(account.password),
    });
    assert.match(page.text, /<input[^>]*name="replaceKey"[^>]*checked/);
    const send = async (password: string, fields: Record<string, string>) =>
      server.request('POST', '//web/settings/security', {
        headers: await own(password),
        form: new URLSearchParams({ currentPassword: password, ...fields }),
      });
    const kept = await send(account.password, { newPassword: NEW });
    assert.is(kept.headers.get('location'), '/web/settings/security?done=password');
    assert.is(await status(server, '/auth/me', { key: account.key }), 200);
    const replaced = await send(NEW, { newPassword: account.password, replaceKey: 'true' });
    assert.is(replaced.headers.get('location'), '/web/settings/security?done=passwordAndKey');
    assert.is(await status(server, '/auth/me', { key: account.key }), 401);
    const refused = await send(account.password, { newPassword: 'short', replaceKey: 'true' });
    assert.match(refused.text, /<input[^>]*name="replaceKey"[^>]*checked/);
  },
);

recovery(
  'turning on two-step sign-in ends the other sessions, not the one that did it',
  async ({ server }) => {
    const account = await server.account();
    const [here, elsewhere] = [await sessionOf(server, account), await sessionOf(server, account)];
    const headers = cookies({ session_token: here });
    const begin = { headers, json: { password: account.password } };
    const { secret } = (await server.request('POST', '/auth/me/totp', begin)).body.message;
    assert.is(await status(server, '/auth/me', { headers: cookies({ session_token: elsewhere }) }), 200);
    const confirm = { headers, json: { code: digitsOf(secret) } };
    assert.is((await server.request('POST', '/auth/me/totp/confirm', confirm)).status, 200);
    assert.is(await status(server, '/auth/me', { headers }), 200);
    assert.is(await status(server, '/auth/me', { headers: cookies({ session_token: elsewhere }) }), 401);
  },
);

recovery.run();
