// on both databases
/** Every change of the ways into an account is mailed to its holder; and one call ends them all. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestAccount, type TestServer } from '../../harness.js';
import { createAuthenticator } from '../../standins/authenticator.js';
import { type OidcStandin, startOidc } from '../../standins/oidc.js';
import { cookies, sessionOf } from '../../support/accounts/accounts.js';
import { journey, oidcEnv } from '../../support/accounts/oidc.js';
import { mailsTo } from '../../support/accounts/outbox.js';
import { digitsOf, enableSecondFactor, forgetLastCode } from '../../support/accounts/second-factor.js';

interface World {
  server: TestServer;
  oidc: OidcStandin;
}
const test = suite<World>('mails about the access to an account');

test.before(async (world) => {
  world.oidc = await startOidc();
  world.server = await startServer(oidcEnv(world.oidc.url));
});
test.after(async ({ server, oidc }) => {
  await server.close();
  await oidc.close();
});

/** What the newest mail to an account says, once all that are due are sent. */
async function told(server: TestServer, { email }: TestAccount, count: number): Promise<string> {
  await server.app.services.jobs.settle();
  const mails = await mailsTo(server, email);
  assert.is(mails.length, count, mails.map(({ text }) => text).join('\n---\n'));
  return mails.at(-1)?.text ?? '';
}

const well = (answer: Answer): Answer => {
  assert.ok(answer.status < 400, answer.text);
  return answer;
};

const makeKey = async (server: TestServer, key: string, name: string) =>
  well(await server.request('POST', '/user/get/@me/keys', { key, json: { name, scopes: ['images:read'] } }))
    .body.message;

async function makePasskey(server: TestServer, { key, password }: TestAccount): Promise<number> {
  const asked = await server.request('POST', '/auth/passkey/register/options', { key, json: { password } });
  const credential = createAuthenticator(server.origin).create(asked.body.message, {});
  const json = { credential, name: 'phone' };
  return well(await server.request('POST', '/auth/passkey/register/verify', { key, json })).body.message.id;
}

async function linkIdentity({ server, oidc }: World, account: TestAccount): Promise<void> {
  oidc.claims = { sub: `subject-${account.id}`, email: account.email, email_verified: true };
  const session = await sessionOf(server, account);
  well(await journey(server, oidc, '?intent=link', session));
}

test('keys, passkeys, identities, sessions and the second step: each change is one mail', async (world) => {
  const { server } = world;
  const account = await server.account();
  const { key, password } = account;
  let sent = (await mailsTo(server, account.email)).length;
  const says = async (work: Promise<unknown>, text: RegExp) => {
    await work;
    sent += 1;
    assert.match((await told(server, account, sent)).replaceAll(/\s+/g, ' '), text);
  };
  const call = async (method: string, path: string, json?: object) =>
    well(await server.request(method, path, { key, ...(json === undefined ? {} : { json }) }));

  const made = makeKey(server, key, 'scanner');
  await says(made, /API key "scanner" was created/);
  const { id } = await made;
  await says(call('PATCH', `/user/get/@me/keys/${id}`, { name: 'printer' }), /"printer" .* changed/);
  await says(call('DELETE', `/user/get/@me/keys/${id}`), /API key "printer" .* was deleted/);

  const passkey = makePasskey(server, account);
  await says(passkey, /passkey "phone" was added/);
  const at = `/user/get/@me/passkeys/${await passkey}`;
  await says(call('PATCH', at, { name: 'tablet' }), /is now called "tablet"/);
  await says(call('DELETE', at), /passkey "tablet" was removed/);

  await says(linkIdentity(world, account), /at The House was linked/);
  const { content } = (await call('GET', '/user/get/@me/identities')).body.message;
  await says(call('DELETE', `/user/get/@me/identities/${content[0].id}`, { password }), /House was unlinked/);

  await says(call('DELETE', '/auth/me/sessions'), /Sessions of your account were ended/);
  const session = await sessionOf(server, account);
  const [{ id: other }] = (await call('GET', '/auth/me/sessions')).body.message;
  await says(call('DELETE', `/auth/me/sessions/${other}`), /Sessions of your account were ended/);
  const over = await server.request('GET', '/auth/me', { headers: cookies({ session_token: session }) });
  assert.is(over.status, 401);

  const turnedOn = enableSecondFactor(server, account);
  await says(turnedOn, /Two-step sign-in was turned on/);
  const { secret } = await turnedOn;
  await forgetLastCode(server, account);
  await says(
    call('POST', '/auth/me/totp/recovery', { password, code: digitsOf(secret) }),
    /New recovery codes/,
  );
  await says(
    server.request('DELETE', `/admin/user/${account.id}/totp`, { key: server.owner.key }).then(well),
    /Two-step sign-in was turned off/,
  );
  await says(
    server
      .request('PUT', `/admin/user/${account.id}`, {
        key: server.owner.key,
        json: { password: 'another password' },
      })
      .then(well),
    /A new password was set/,
  );
});

test('one call with proof ends everything but the session that asks', async (world) => {
  const { server } = world;
  const account = await server.account();
  const { key, password } = account;
  const named = await makeKey(server, key, 'tool');
  await makePasskey(server, account);
  await linkIdentity(world, account);
  const [own, other] = [await sessionOf(server, account), await sessionOf(server, account)];
  const by = (session: string | null) => cookies({ session_token: session });
  const end = (more: object) => server.request('DELETE', '/auth/me/access', more);
  assert.is((await end({ key })).status, 403, 'the main key alone proves nothing');
  assert.is((await end({ key: named.key, json: { password } })).status, 403);
  assert.is((await end({ key, json: { password: 'wrong password' } })).status, 403);

  const { message } = well(await end({ headers: by(own) })).body;
  assert.equal([message.keys, message.passkeys, message.identities], [1, 1, 1]);
  assert.ok(message.sessions >= 1);
  const me = async (more: object) => (await server.request('GET', '/auth/me', more)).status;
  assert.equal(
    [await me({ headers: by(own) }), await me({ headers: by(other) }), await me({ key })],
    [200, 401, 401],
  );
  assert.is((await server.request('GET', '/auth/me', { key: named.key })).status, 401);
  await server.app.services.jobs.settle();
  assert.match((await mailsTo(server, account.email)).at(-1)?.text ?? '', /All access to your account/);
  const log = await server.request('GET', '/admin/system/auditlog', { key: server.owner.key });
  assert.ok(log.body.message.some(({ event }: { event: string }) => event === 'session.revoked'));
});

test('the pages list all ways in, and one button ends them; an older session confirms first', async (world) => {
  const { server } = world;
  const account = await server.account();
  await makeKey(server, account.key, 'tool');
  await makePasskey(server, account);
  await linkIdentity(world, account);
  const session = await sessionOf(server, account);
  const headers = cookies({ session_token: session });
  const keys = await server.request('GET', '//web/settings/security/keys', { headers });
  for (const text of ['tool', 'see images and files']) assert.match(keys.text, text);
  const page = await server.request('GET', '//web/settings/security', { headers });
  for (const text of ['phone', 'The House', 'This session', 'Yes, end everything'])
    assert.match(page.text, text);
  const press = () =>
    server.request('POST', '//web/settings/security/everything', {
      headers: { ...headers, origin: server.origin },
      form: new URLSearchParams({ action: 'everything' }),
    });
  const { db } = server.app.services;
  await db.write((trx) => trx('sessions').where('user_id', account.id).update({ created_at: 1 }));
  assert.match((await press()).headers.get('location') ?? '', /security\/confirm$/);
  const { password } = account;
  well(await server.request('POST', '/auth/me/confirm', { headers, json: { password } }));
  const pressed = await press();
  assert.match(pressed.headers.get('location') ?? '', /done=everything\.keys\.identities\.passkeys$/);
  assert.is((await server.request('GET', '/auth/me', { key: account.key })).status, 401);
  assert.is((await server.request('GET', '/auth/me', { headers })).status, 200);
});

test("an administrator's page ends identities and passkeys with a new password, if told to", async (world) => {
  const { server } = world;
  const account = await server.account();
  const left = async () => {
    const { read } = server.app.services.db;
    const [passkeys, identities] = await Promise.all(
      ['passkeys', 'identities'].map((table) => read(table).where('user_id', account.id)),
    );
    return [passkeys?.length, identities?.length];
  };
  await makePasskey(server, account);
  await linkIdentity(world, account);
  const save = async (fields: Record<string, string>) =>
    server.request('POST', `//web/admin/users/${account.id}`, {
      key: server.owner.key,
      form: new URLSearchParams({ action: 'save', password: 'another password', ...fields }),
    });
  well(await save({}));
  assert.equal(await left(), [1, 1]);
  well(await save({ endPasskeys: 'true' }));
  assert.equal(await left(), [0, 1]);
  const answer = well(await save({ endIdentities: 'true' }));
  assert.match(answer.headers.get('location') ?? '', /done=recovered.*identities/);
  assert.equal(await left(), [0, 0]);
});

test('a machine that signs out ends its own key, and no other credential ends itself so', async ({
  server,
}) => {
  const account = await server.account();
  const { key } = await makeKey(server, account.key, 'machine');
  const end = (as: string) => server.request('DELETE', '/user/get/@me/keys/@this', { key: as });
  assert.is((await end(account.key)).status, 400);
  well(await end(key));
  assert.is((await end(key)).status, 401);
  const { content } = (await server.request('GET', '/user/get/@me/keys', { key: account.key })).body.message;
  assert.equal(content, []);
});

test.run();
