/**
 * Email verification with an address that may be mistyped, and what administrators see of pending accounts.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, startServer, type TestServer } from '../../harness.js';
import { cookieOf, newcomer, sessionOf } from '../../support/accounts/accounts.js';
import { digitsIn, linkMailedTo, mailsTo, newestMailTo } from '../../support/accounts/outbox.js';
import { errorAt, shownIn } from '../../support/web/forms.js';

interface World {
  server: TestServer;
}

const verify = suite<World>('pages: verify');

verify.before(async (world) => {
  world.server = await startServer({ REGISTRATION: 'open' });
});
verify.after(({ server }) => server.close());

/** Registers on the page; returns what was typed, and how to continue as that user. */
async function register(server: TestServer) {
  const typed = newcomer();
  const answer = await server.request('POST', '//web/register', { form: new URLSearchParams(typed) });
  assert.equal([answer.status, answer.headers.get('location')], [303, '/web/verify']);
  const headers = { cookie: `verify_token=${cookieOf(answer, 'verify_token')}` };
  const send = (form: Record<string, string>): Promise<Answer> =>
    server.request('POST', '//web/verify', { headers, form: new URLSearchParams(form) });
  const look = () => server.request('GET', '//web/verify', { headers });
  return { ...typed, send, look };
}

/** Makes every code old enough for the next mail. */
const passCooldown = (server: TestServer) =>
  server.app.services.db.write((trx) =>
    trx('codes').update({ created_at: trx.raw('created_at - ?', [2 * 60_000]) }),
  );

verify('a mistyped address is noticed, corrected and verified', async ({ server }) => {
  const { email, send, look } = await register(server);
  assert.match((await look()).text, email);
  assert.is(shownIn(await look(), 'email'), email);
  const earlier = digitsIn(await newestMailTo(server, email));
  await passCooldown(server);

  for (const [wrong, why] of [
    ['no address', 'is not an e-mail address'],
    [server.owner.email, 'This e-mail address is taken'],
  ] as const) {
    const refused = await send({ action: 'correct', email: wrong });
    assert.equal([refused.status, errorAt(refused, 'email'), shownIn(refused, 'email')], [400, why, wrong]);
    assert.match(refused.text, '<details class="more" open');
  }

  const right = `right-${email}`;
  const corrected = await send({ action: 'correct', email: right });
  assert.equal([corrected.status, corrected.headers.get('location')], [303, '/web/verify?done=sent']);
  assert.match((await look()).text, right);
  assert.is((await send({ action: 'verify', code: earlier })).status, 400, 'the mail to the wrong address');
  const code = digitsIn(await newestMailTo(server, right));
  assert.is((await send({ action: 'verify', code })).headers.get('location'), '/web/login?done=verified');
});

verify(
  'requesting another mail too soon shows when it is allowed, and that nothing was sent',
  async ({ server }) => {
    const { email, send } = await register(server);
    for (const form of [{ action: 'resend' }, { action: 'correct', email: `right-${email}` }]) {
      const early = await send(form);
      assert.is(early.status, 429);
      assert.match(early.text, /An e-mail was just sent\. You can request another at \d\d:\d\d UTC\./);
      const [, hours = '', minutes = ''] = /at (\d\d):(\d\d) UTC/.exec(early.text) ?? [];
      const now = (Date.now() / 60_000) % 1440;
      const wait = (Number(hours) * 60 + Number(minutes) - now + 1440) % 1440;
      assert.ok(wait > 0 && wait <= 3, `${wait} minutes`);
    }
    assert.is((await mailsTo(server, email)).length, 1);
    await passCooldown(server);
    assert.is((await send({ action: 'resend' })).status, 303);
    assert.is((await mailsTo(server, email)).length, 2);
  },
);

verify('signing in before that does not claim that a mail was sent', async ({ server }) => {
  const { email, password, look } = await register(server);
  const form = new URLSearchParams({ email, password });
  const answer = await server.request('POST', '//web/login', { form });
  assert.is(answer.headers.get('location'), '/web/verify');
  assert.not.match((await look()).text, /\bsent\b/i);
  assert.is((await mailsTo(server, email)).length, 1);
});

verify('administrators see who is pending, in the list and on the account page', async ({ server }) => {
  const headers = { cookie: `session_token=${await sessionOf(server, server.owner)}` };
  const look = (path: string) => server.request('GET', `//web/admin/users${path}`, { headers });
  const pending = await server.account('USER', { status: 'PENDING' });
  const active = await server.account();
  for (const [account, shown] of [
    [pending, true],
    [active, false],
  ] as const) {
    for (const path of [`?search=${account.username}`, `/${account.id}`]) {
      assert.is((await look(path)).text.includes('>Pending<'), shown, path);
    }
  }
});

verify(
  'password managers save the login that signs in, and know whose password is new',
  async ({ server }) => {
    const field = (html: string, name: string) =>
      [...html.matchAll(/<input[^>]*>/g)]
        .map(([tag]) => tag)
        .find((tag) => tag.includes(` name="${name}"`)) ?? '';
    const register = (await server.request('GET', '//web/register')).text;
    const login = (await server.request('GET', '//web/login')).text;
    assert.match(field(register, 'email'), 'autocomplete="username"');
    assert.not.match(field(register, 'username'), 'autocomplete="username"');
    assert.match(field(register, 'password'), 'autocomplete="new-password"');
    assert.match(field(login, 'email'), /autocomplete="username(?: webauthn)?"/);
    assert.match(field(login, 'password'), 'autocomplete="current-password"');

    const account = await server.account();
    const named = new RegExp(`<input[^>]*value="${account.email}"[^>]*autocomplete="username"`);
    const headers = { cookie: `session_token=${await sessionOf(server, account)}` };
    assert.match((await server.request('GET', '//web/settings/security', { headers })).text, named);
    await server.request('POST', '/auth/reset/request', { json: { email: account.email } });
    const path = `//web/password-reset/confirm?code=${await linkMailedTo(server, account.email)}`;
    assert.match((await server.request('GET', path)).text, named);
    assert.not.match((await server.request('GET', `${path}x`)).text, account.email);
  },
);

verify.run();
