// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { startDiscord } from '../../standins/discord.js';
import { cookieOf, cookies, signIn } from '../../support/accounts/accounts.js';
import { chatEnv, journey, somebody, tokensFor } from '../../support/accounts/chatapp.js';
import {
  digitsOf,
  enableSecondFactor,
  forgetLastCode,
  wrongDigits,
} from '../../support/accounts/second-factor.js';

interface World {
  server: TestServer;
}
const twoSteps = suite<World>('two-factor login');

twoSteps.before(async (world) => {
  world.server = await startServer();
});
twoSteps.after(({ server }) => server.close());

type Account = Awaited<ReturnType<TestServer['account']>>;

const signInWith = (server: TestServer, { email, password }: Account, code: unknown) =>
  server.request('POST', '/auth/login', { json: { email, password, code } });

const state = async (server: TestServer, { key }: Account) =>
  (await server.request('GET', '/auth/me/totp', { key })).body.message;

twoSteps('it is off by default, and a code sent anyway is ignored', async ({ server }) => {
  const account = await server.account();
  assert.equal(await state(server, account), { enabled: false, recoveryCodes: 0 });
  for (const code of [undefined, null, '', '123456', 123456])
    assert.is((await signInWith(server, account, code)).status, 200, String(code));
});

twoSteps(
  'a secret takes effect once confirmed by one of its codes; 400 for any other code',
  async ({ server }) => {
    const account = await server.account();
    const { key, password } = account;
    const begun = await server.request('POST', '/auth/me/totp', { key, json: { password } });
    assert.is(begun.status, 200);
    const { secret, uri } = begun.body.message;
    assert.match(secret, /^[A-Z2-7]{32}$/);
    const address = new URL(uri);
    assert.is(address.protocol, 'otpauth:');
    assert.is(address.searchParams.get('secret'), secret);
    assert.ok(decodeURIComponent(address.pathname).includes(account.username));

    const confirm = (code: unknown) =>
      server.request('POST', '/auth/me/totp/confirm', { key, json: { code } });
    assert.is((await confirm(wrongDigits(secret))).status, 400);
    for (const code of ['', '12345', 'abcdef', '１２３４５６', '\u{1d7d8}\u{1d7d9}\u{1d7da}'])
      assert.is((await confirm(code)).status, 400, code);
    assert.is((await signIn(server, account)).status, 200, 'nobody is asked for a code yet');

    const confirmed = await confirm(` ${digitsOf(secret).slice(0, 3)} ${digitsOf(secret).slice(3)}`);
    assert.is(confirmed.status, 200);
    const { recoveryCodes } = confirmed.body.message;
    assert.is(new Set(recoveryCodes).size, 10);
    assert.equal(await state(server, account), { enabled: true, recoveryCodes: 10 });
    assert.is((await confirm(digitsOf(secret))).status, 400, 'on already');
    assert.is((await server.request('POST', '/auth/me/totp', { key, json: { password } })).status, 400);
  },
);

twoSteps(
  'starting the setup again invalidates the first secret; 403 for a wrong password',
  async ({ server }) => {
    const { key, password } = await server.account();
    const begin = (json: object) => server.request('POST', '/auth/me/totp', { key, json });
    assert.is((await begin({ password: 'not the password' })).status, 403);
    assert.is((await begin({})).status, 400);
    const first = (await begin({ password })).body.message.secret;
    const second = (await begin({ password })).body.message.secret;
    const confirm = (secret: string) =>
      server.request('POST', '/auth/me/totp/confirm', { key, json: { code: digitsOf(secret) } });
    assert.is((await confirm(first)).status, 400);
    assert.is((await confirm(second)).status, 200);
  },
);

twoSteps(
  '403 and no session without a code or with a wrong one; API keys keep working',
  async ({ server }) => {
    const account = await server.account();
    const { secret } = await enableSecondFactor(server, account);
    const without = await signIn(server, account);
    assert.is(without.status, 403);
    assert.is(without.body.message, 'The code from your authenticator app is required');
    assert.is(cookieOf(without, 'session_token'), null);
    const wrong = await signInWith(server, account, wrongDigits(secret));
    assert.is(wrong.status, 403);
    assert.is(wrong.body.message, 'The code is wrong or was already used');
    assert.equal(wrong.headers.getSetCookie(), []);
    const password = await server.request('POST', '/auth/login', {
      json: { email: account.email, password: 'not the password', code: digitsOf(secret) },
    });
    assert.is(password.body.message, 'The e-mail address or the password is wrong');
    assert.is((await server.request('GET', '/auth/me', { key: account.key })).status, 200);
  },
);

twoSteps('a code works once, also as a number, and once under concurrent attempts', async ({ server }) => {
  const account = await server.account();
  const { secret } = await enableSecondFactor(server, account);
  const code = digitsOf(secret);
  const tries = await Promise.all(Array.from({ length: 10 }, () => signInWith(server, account, code)));
  assert.is(tries.filter(({ status }) => status === 200).length, 1);
  assert.is(tries.filter(({ status }) => status === 403).length, 9);
  await forgetLastCode(server, account);
  assert.is((await signInWith(server, account, Number(digitsOf(secret)))).status, 200);
});

twoSteps(
  'the second step can be separate: the cookie of the first step, then the code',
  async ({ server }) => {
    const account = await server.account();
    const { secret } = await enableSecondFactor(server, account);
    const first = await signIn(server, account);
    assert.match(
      first.headers.getSetCookie().join('\n'),
      /^sign_in=[0-9a-f.]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    const sign_in = cookieOf(first, 'sign_in') ?? '';
    const second = (code: string, cookie: string = sign_in) =>
      server.request('POST', '/auth/login/code', { json: { code }, headers: cookies({ sign_in: cookie }) });
    assert.is((await second(wrongDigits(secret))).status, 403);
    const answer = await second(digitsOf(secret));
    assert.is(answer.status, 200);
    assert.is(answer.body.message.username, account.username);
    assert.is(cookieOf(answer, 'sign_in'), null, 'it is taken away');
    const session_token = cookieOf(answer, 'session_token');
    assert.is((await server.request('GET', '/auth/me', { headers: cookies({ session_token }) })).status, 200);

    await forgetLastCode(server, account);
    const [id, until, signature = ''] = sign_in.split('.');
    const forged = [
      '',
      'nonsense',
      `${server.owner.id}.${until}.${signature}`,
      `${id}.${Number(until) + 1}.${signature}`,
      `${id}.1.${signature}`,
    ];
    for (const cookie of forged) assert.is((await second(digitsOf(secret), cookie)).status, 401, cookie);
  },
);

twoSteps(
  '403 without a code, and that does not extend the lifetime of the first step',
  async ({ server }) => {
    const account = await server.account();
    await enableSecondFactor(server, account);
    const sign_in = cookieOf(await signIn(server, account), 'sign_in');
    for (const code of ['', ' - ']) {
      const headers = cookies({ sign_in });
      const answer = await server.request('POST', '/auth/login/code', { json: { code }, headers });
      assert.equal([answer.status, answer.headers.getSetCookie()], [403, []]);
    }
  },
);

twoSteps('403 for a cross-site request for the second step', async ({ server }) => {
  const account = await server.account();
  const { secret } = await enableSecondFactor(server, account);
  const sign_in = cookieOf(await signIn(server, account), 'sign_in');
  const headers = { ...cookies({ sign_in }), origin: 'https://other.example' };
  const json = { code: digitsOf(secret) };
  assert.is((await server.request('POST', '/auth/login/code', { json, headers })).status, 403);
  assert.is(
    (await server.request('POST', '/auth/login/code', { json, headers: cookies({ sign_in }) })).status,
    200,
  );
});

twoSteps('changing the password invalidates the cookie of the first step', async ({ server }) => {
  const account = await server.account();
  const { secret } = await enableSecondFactor(server, account);
  const sign_in = cookieOf(await signIn(server, account), 'sign_in');
  const changed = await server.request('PUT', '/user/get/@me/password', {
    key: account.key,
    json: { currentPassword: account.password, newPassword: 'quite another one' },
  });
  assert.is(changed.status, 200);
  const json = { code: digitsOf(secret) };
  const answer = await server.request('POST', '/auth/login/code', { json, headers: cookies({ sign_in }) });
  assert.is(answer.status, 401);
});

twoSteps(
  'a recovery code works once, however it is typed, and once under concurrent attempts',
  async ({ server }) => {
    const account = await server.account();
    const { recoveryCodes } = await enableSecondFactor(server, account);
    const [first = '', second = ''] = recoveryCodes;
    const tries = await Promise.all(Array.from({ length: 10 }, () => signInWith(server, account, first)));
    assert.is(tries.filter(({ status }) => status === 200).length, 1);
    assert.is((await state(server, account)).recoveryCodes, 9);
    const typed = second.toUpperCase().replaceAll('-', ' ');
    assert.is((await signInWith(server, account, typed)).status, 200);
  },
);

twoSteps(
  'new recovery codes replace the old ones and require the password and a code',
  async ({ server }) => {
    const account = await server.account();
    const { key, password } = account;
    const { secret, recoveryCodes } = await enableSecondFactor(server, account);
    const renew = (json: object) => server.request('POST', '/auth/me/totp/recovery', { key, json });
    assert.is((await renew({ password: 'wrong', code: digitsOf(secret) })).status, 403);
    assert.is((await renew({ password, code: wrongDigits(secret) })).status, 400);
    assert.is((await renew({ password })).status, 400);
    const renewed = await renew({ password, code: digitsOf(secret) });
    assert.is(renewed.status, 200);
    assert.is((await signInWith(server, account, recoveryCodes[0])).status, 403);
    assert.is((await signInWith(server, account, renewed.body.message.recoveryCodes[0])).status, 200);
  },
);

twoSteps('turning it off requires the password and a code; 404 when it is off', async ({ server }) => {
  const account = await server.account();
  const { key, password } = account;
  const { secret, recoveryCodes } = await enableSecondFactor(server, account);
  const end = (json: object) => server.request('DELETE', '/auth/me/totp', { key, json });
  assert.is((await end({ password: 'wrong', code: digitsOf(secret) })).status, 403);
  assert.is((await end({ password, code: wrongDigits(secret) })).status, 400);
  assert.is((await end({ password, code: recoveryCodes[0] })).status, 200);
  assert.equal(await state(server, account), { enabled: false, recoveryCodes: 0 });
  assert.is((await signIn(server, account)).status, 200);
  assert.is((await end({ password, code: digitsOf(secret) })).status, 404);
});

twoSteps(
  'administrators can turn it off for lower roles: 403 for others, 404 when it is off',
  async ({ server }) => {
    const account = await server.account();
    await enableSecondFactor(server, account);
    const admin = await server.account('ADMIN');
    await enableSecondFactor(server, admin);
    const end = (by: string, uid: number) => server.request('DELETE', `/admin/user/${uid}/totp`, { key: by });
    const isOn = async () =>
      (await server.request('GET', `/admin/user/${account.id}`, { key: admin.key })).body.message
        .secondFactor;
    assert.is(await isOn(), true);
    assert.is((await end(account.key, admin.id)).status, 403);
    assert.is((await end(admin.key, admin.id)).status, 403);
    assert.is((await end(admin.key, account.id)).status, 200);
    assert.is(await isOn(), false);
    assert.is((await end(admin.key, account.id)).status, 404);
    assert.is((await end(admin.key, 999_999)).status, 404);
    assert.is((await signIn(server, account)).status, 200);
    assert.is((await end(server.owner.key, admin.id)).status, 200);
    const going = await server.account();
    await enableSecondFactor(server, going);
    await server.app.services.db.write((trx) =>
      trx('users').where('id', going.id).update({ role: 'DELETED' }),
    );
    assert.is((await end(server.owner.key, going.id)).status, 404);
  },
);

twoSteps('secrets and recovery codes are never stored in plain text', async ({ server }) => {
  const account = await server.account();
  const { secret, recoveryCodes } = await enableSecondFactor(server, account);
  const { read } = server.app.services.db;
  const rows = JSON.stringify([await read('second_factors'), await read('recovery_codes')]);
  for (const clear of [secret, ...recoveryCodes]) {
    assert.not.ok(rows.includes(clear));
    assert.not.ok(rows.includes(clear.replaceAll('-', '')));
  }
});

twoSteps('deleting an account removes its second factor completely', async ({ server }) => {
  const account = await server.account();
  await enableSecondFactor(server, account);
  const gone = await server.request('DELETE', `/admin/user/${account.id}`, { key: server.owner.key });
  assert.is(gone.status, 200);
  for (const table of ['second_factors', 'recovery_codes'])
    assert.equal(await server.app.services.db.read(table).where('user_id', account.id), []);
});

twoSteps('a linked chat account replaces the first step only', async () => {
  const discord = await startDiscord();
  const server = await startServer(chatEnv(discord));
  try {
    const account = await server.account();
    discord.person = somebody();
    const json = tokensFor(discord, discord.person);
    await server.request('POST', '/chatapp/authorize', { key: account.key, json });
    const { secret } = await enableSecondFactor(server, account);
    const second = (answer: { headers: Headers }) =>
      server.request('POST', '/auth/login/code', {
        json: { code: digitsOf(secret) },
        headers: cookies({ sign_in: cookieOf(answer as never, 'sign_in') }),
      });

    const trip = await journey(server, 'login');
    const back = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
    assert.is(back.status, 302);
    assert.match(back.headers.get('location') ?? '', /\/web\/login\/code$/);
    assert.is(cookieOf(back, 'session_token'), null);
    assert.is((await second(back)).status, 200);

    await forgetLastCode(server, account);
    const shown = await server.request('POST', '/chatapp/login', { key: server.owner.key, json });
    assert.is(shown.status, 403);
    assert.is(cookieOf(shown, 'session_token'), null);
    assert.is((await second(shown)).status, 200);
  } finally {
    await server.close();
    await discord.close();
  }
});

twoSteps(
  'RATE_LIMIT=on: 429 well before 50 wrong codes, after which a correct one is refused too',
  async () => {
    const server = await startServer({ RATE_LIMIT: 'on' });
    try {
      const account = await server.account();
      const { secret } = await enableSecondFactor(server, account);
      const sign_in = cookieOf(await signIn(server, account), 'sign_in');
      const second = (code: string) =>
        server.request('POST', '/auth/login/code', { json: { code }, headers: cookies({ sign_in }) });
      let tries = 0;
      let answer = await second(wrongDigits(secret));
      for (; answer.status === 403 && tries < 50; tries += 1) answer = await second(wrongDigits(secret));
      assert.is(answer.status, 429);
      assert.ok(Number(answer.headers.get('retry-after')) > 0);
      assert.is((await second(digitsOf(secret))).status, 429);
    } finally {
      await server.close();
    }
  },
);

twoSteps.run();
