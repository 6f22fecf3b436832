import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { cookieOf, cookies, sessionOf, signIn } from '../../support/accounts/accounts.js';
import { linkMailedTo, mailsTo } from '../../support/accounts/outbox.js';

interface World {
  server: TestServer;
}
const password = suite<World>('changing and resetting a password');

password.before(async (world) => {
  world.server = await startServer();
});
password.after(({ server }) => server.close());

const NEW = 'an entirely new one';

const change = (server: TestServer, json: object, headers: Record<string, string>) =>
  server.request('PUT', '/user/get/@me/password', { json, headers });

const ask = (server: TestServer, email: string) =>
  server.request('POST', '/auth/reset/request', { json: { email } });

const confirm = (server: TestServer, code: string, next = NEW) =>
  server.request('POST', '/auth/reset/confirm', { json: { code, password: next } });

const isOpen = async (server: TestServer, session_token: string) =>
  (await server.request('GET', '/auth/me', { headers: cookies({ session_token }) })).status === 200;

const withPassword = (account: TestAccount, next: string) => ({ ...account, password: next });

password(
  'changing the password ends every session and gives the current one a new cookie',
  async ({ server }) => {
    const account = await server.account();
    const [here, elsewhere] = [await sessionOf(server, account), await sessionOf(server, account)];
    const answer = await change(
      server,
      { currentPassword: account.password, newPassword: NEW },
      cookies({ session_token: here }),
    );
    assert.is(answer.status, 200);
    assert.equal([await isOpen(server, here), await isOpen(server, elsewhere)], [false, false]);
    assert.ok(await isOpen(server, cookieOf(answer, 'session_token') ?? ''));
    assert.is((await signIn(server, account)).status, 403);
    assert.is((await signIn(server, withPassword(account, NEW))).status, 200);
  },
);

password('403 for a wrong current password, 400 for a new one that is too short', async ({ server }) => {
  const account = await server.account();
  const headers = { 'x-api-key': account.key };
  const wrong = await change(server, { currentPassword: 'not it', newPassword: NEW }, headers);
  assert.is(wrong.status, 403);
  const short = await change(server, { currentPassword: account.password, newPassword: 'short' }, headers);
  assert.is(short.status, 400);
  assert.is((await signIn(server, account)).status, 200);
});

password('a reset by mail sets the password once and ends every session', async ({ server }) => {
  const account = await server.account();
  const session = await sessionOf(server, account);
  assert.is((await ask(server, account.email.toUpperCase())).status, 200);
  const code = await linkMailedTo(server, account.email);
  assert.ok(code.length >= 22);
  assert.is((await confirm(server, code, 'short')).status, 400);
  assert.is((await confirm(server, code)).status, 200);
  assert.is((await confirm(server, code)).status, 400);
  assert.is(await isOpen(server, session), false);
  assert.is((await signIn(server, withPassword(account, NEW))).status, 200);
});

password('an unknown address gets the same answer, and no mail is sent', async ({ server }) => {
  const known = await ask(server, (await server.account()).email);
  const unknown = await ask(server, 'nobody@example.com');
  assert.is(unknown.status, 200);
  assert.is(unknown.body.message, known.body.message);
  assert.equal(await mailsTo(server, 'nobody@example.com'), []);
});

password('no second mail within two minutes, and none for banned accounts', async ({ server }) => {
  const account = await server.account();
  const banned = await server.account('BANNED');
  for (const { email } of [account, account, banned]) assert.is((await ask(server, email)).status, 200);
  assert.is((await mailsTo(server, account.email)).length, 1);
  assert.is((await mailsTo(server, banned.email)).length, 0);
});

password(
  '400 for a wrong or expired code, and for a code sent to a previous address of the account',
  async ({ server }) => {
    assert.is((await confirm(server, 'nonsense')).status, 400);
    const late = await server.account();
    await ask(server, late.email);
    const lateCode = await linkMailedTo(server, late.email);
    await server.app.services.db.write((trx) => trx('codes').update({ expires_at: 1 }));
    assert.is((await confirm(server, lateCode)).status, 400);

    const moved = await server.account();
    await ask(server, moved.email);
    const code = await linkMailedTo(server, moved.email);
    const next = { email: `new-${moved.email}` };
    await server.request('PUT', `/admin/user/${moved.id}`, { key: server.owner.key, json: next });
    assert.is((await confirm(server, code)).status, 400);
    assert.is((await signIn(server, { ...moved, ...next })).status, 200);
  },
);

password('a reset code works once under concurrent attempts', async ({ server }) => {
  const account = await server.account();
  await ask(server, account.email);
  const code = await linkMailedTo(server, account.email);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => confirm(server, code, `${NEW} ${n}`)),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 1);
});

password.run();
