// on both databases
/** Passkeys over HTTP, with an authenticator in software that can also cheat. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { type Answering, type Authenticator, createAuthenticator } from '../../standins/authenticator.js';
import { cookieOf, cookies, sessionOf, signIn } from '../../support/accounts/accounts.js';
import { enableSecondFactor } from '../../support/accounts/second-factor.js';

const test = suite<{ server: TestServer }>('passkeys');

test.before(async (context) => {
  context.server = await startServer();
});
test.after(({ server }) => server.close());

const optionsOf = async (server: TestServer, headers = {}) => {
  const answer = await server.request('POST', '/auth/passkey/login/options', { json: {}, headers });
  assert.is(answer.status, 200, answer.text);
  return answer.body.message;
};

/** Registers a passkey of an account, with its password. */
async function register(
  server: TestServer,
  account: TestAccount,
  how: Answering = {},
): Promise<Authenticator> {
  const { key, password } = account;
  const asked = await server.request('POST', '/auth/passkey/register/options', { key, json: { password } });
  assert.is(asked.status, 200, asked.text);
  const authenticator = createAuthenticator(server.origin);
  const credential = authenticator.create(asked.body.message, how);
  const kept = await server.request('POST', '/auth/passkey/register/verify', {
    key,
    json: { credential, name: 'phone' },
  });
  assert.is(kept.status, 200, kept.text);
  return authenticator;
}

const answer = (server: TestServer, credential: unknown, headers = {}) =>
  server.request('POST', '/auth/passkey/login/verify', { json: credential, headers });

test('a passkey signs in without a name and without a second step', async ({ server }) => {
  const account = await server.account();
  const passkey = await register(server, account);
  const options = await optionsOf(server);
  assert.is(options.rpId, new URL(server.origin).hostname);
  assert.is(options.userVerification, 'required');
  const entered = await answer(server, passkey.get(options));
  assert.is(entered.status, 200, entered.text);
  assert.is(entered.body.message.uid, account.id);
  const headers = cookies({ session_token: cookieOf(entered, 'session_token') });
  const listed = await server.request('GET', '/user/get/@me/passkeys', { headers });
  const [entry] = listed.body.message.content;
  assert.is(entry.name, 'phone');
  assert.is(entry.lastUsedIp, '127.0.0.1');
  assert.not.match(listed.text, /public/i);
});

test('registering needs the password or a young session, and never a named key', async ({ server }) => {
  const { key, password, ...account } = await server.account();
  const ask = (more: object) =>
    server.request('POST', '/auth/passkey/register/options', { json: {}, ...more });
  assert.is((await ask({ key })).status, 403);
  assert.is((await ask({ key, json: { password: 'wrong password' } })).status, 403);
  assert.is((await ask({ key, json: { password } })).status, 200);
  const headers = cookies({ session_token: await sessionOf(server, { ...account, password }) });
  assert.is((await ask({ headers })).status, 200);
  const named = await server.request('POST', '/user/get/@me/keys', {
    key,
    json: { name: 'x', scopes: ['account:write'] },
  });
  assert.is((await ask({ key: named.body.message.key, json: { password } })).status, 403);
});

test('the credential may be the body or stand in it', async ({ server }) => {
  const account = await server.account();
  const passkey = await register(server, account);
  assert.is((await answer(server, { credential: passkey.get(await optionsOf(server)) })).status, 200);
});

test('an answer works once', async ({ server }) => {
  const passkey = await register(server, await server.account(), { counter: 0 });
  const credential = passkey.get(await optionsOf(server), { counter: 0 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => answer(server, credential)));
  assert.is(answers.filter(({ status }) => status === 200).length, 1);
  assert.is((await answer(server, credential)).status, 400);
});

for (const [cheat, how] of Object.entries<Answering>({
  'a count that goes back': { counter: 1 },
  'another origin': { origin: 'https://evil.example' },
  'a user who was not verified': { verified: false },
}))
  test(`${cheat} is refused`, async ({ server }) => {
    const passkey = await register(server, await server.account(), { counter: 5 });
    const refused = await answer(server, passkey.get(await optionsOf(server), how));
    assert.is(refused.status, 403, refused.text);
    assert.is(cookieOf(refused, 'session_token'), null);
  });

test('a challenge that was made up, or for another purpose, is refused', async ({ server }) => {
  const account = await server.account();
  const passkey = await register(server, account);
  const { key, password } = account;
  const other = await server.request('POST', '/auth/passkey/register/options', { key, json: { password } });
  for (const challenge of [other.body.message.challenge, Buffer.from('made up').toString('base64url')]) {
    const options = { ...(await optionsOf(server)), challenge };
    assert.is((await answer(server, passkey.get(options))).status, 400);
  }
});

test('an unknown passkey is refused', async ({ server }) => {
  const stranger = createAuthenticator(server.origin);
  assert.is((await answer(server, stranger.get(await optionsOf(server)))).status, 403);
  assert.is((await answer(server, { id: 'x' })).status, 400);
});

test('a passkey is the second step after the password, even without verification', async ({ server }) => {
  const account = await server.account();
  const passkey = await register(server, account);
  await enableSecondFactor(server, account);
  const pending = await signIn(server, account);
  assert.is(pending.status, 403);
  const headers = cookies({ sign_in: cookieOf(pending, 'sign_in') });
  const options = await optionsOf(server, headers);
  assert.equal(
    options.allowCredentials.map(({ id }: { id: string }) => id),
    [passkey.id],
  );
  const entered = await answer(server, passkey.get(options, { verified: false }), headers);
  assert.is(entered.status, 200, entered.text);
  assert.is(entered.body.message.uid, account.id);
  const stranger = await register(server, await server.account());
  const refused = await answer(server, stranger.get(await optionsOf(server, headers)), headers);
  assert.is(refused.status, 403, 'the passkey of another account is no second step');
});

test('passkeys are renamed and removed by their holder alone, who gets a mail', async ({ server }) => {
  const account = await server.account();
  const passkey = await register(server, account);
  const { key } = account;
  const listed = await server.request('GET', '/user/get/@me/passkeys', { key });
  const path = `/user/get/@me/passkeys/${listed.body.message.content[0].id}`;
  const other = await server.account('ADMIN');
  assert.is((await server.request('PATCH', path, { key: other.key, json: { name: 'x' } })).status, 404);
  assert.is((await server.request('DELETE', path, { key: other.key })).status, 404);
  const renamed = await server.request('PATCH', path, { key, json: { name: 'tablet' } });
  assert.is(renamed.body.message.name, 'tablet');
  assert.is((await server.request('DELETE', path, { key })).status, 200);
  assert.is((await server.request('DELETE', path, { key })).status, 404);
  assert.is((await answer(server, passkey.get(await optionsOf(server)))).status, 403);
});

test('the passkeys of a deleted account are gone with it', async ({ server }) => {
  const account = await server.account();
  const passkey = await register(server, account);
  const { key, password } = account;
  assert.is((await server.request('DELETE', '/user/get/@me', { key, json: { password } })).status, 200);
  assert.is((await answer(server, passkey.get(await optionsOf(server)))).status, 403);
});

test.run();
