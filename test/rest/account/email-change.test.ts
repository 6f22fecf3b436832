import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { cookies, sessionOf, signIn } from '../../support/accounts/accounts.js';
import { linkMailedTo, mailsTo } from '../../support/accounts/outbox.js';

interface World {
  server: TestServer;
}
const email = suite<World>('changing the own e-mail address');

email.before(async (world) => {
  world.server = await startServer();
});
email.after(({ server }) => server.close());

const ask = (server: TestServer, account: TestAccount, to: string, password = account.password) =>
  server.request('PUT', '/user/get/@me/email', { json: { email: to, password }, key: account.key });

const confirm = (server: TestServer, code: string) =>
  server.request('POST', '/auth/email/confirm', { json: { code } });

const addressOf = async (server: TestServer, { key }: TestAccount): Promise<string> =>
  (await server.request('GET', '/auth/me', { key })).body.message.email;

let made = 0;
const newAddress = (): string => {
  made += 1;
  return `Moved.${made}@example.net`;
};

email('the address changes when its link is used, once, and the old one is told', async ({ server }) => {
  const account = await server.account();
  const session_token = await sessionOf(server, account);
  const to = newAddress();
  assert.is((await ask(server, account, to)).status, 200);
  assert.is(await addressOf(server, account), account.email);
  const code = await linkMailedTo(server, to);
  const changed = await confirm(server, code);
  assert.equal([changed.status, changed.body.message], [200, { email: to }]);
  assert.is((await confirm(server, code)).status, 400);
  assert.is(await addressOf(server, account), to);
  const told = (await mailsTo(server, account.email)).at(-1);
  assert.match(told?.subject ?? '', 'was changed');
  assert.is((await signIn(server, account)).status, 403);
  assert.is((await signIn(server, { ...account, email: to })).status, 200);
  assert.is((await server.request('GET', '/auth/me', { headers: cookies({ session_token }) })).status, 200);
});

email('403 for a wrong password, 400 for the own address and for one that is taken', async ({ server }) => {
  const [account, other] = [await server.account(), await server.account()];
  assert.is((await ask(server, account, newAddress(), 'not it at all')).status, 403);
  const refused = [account.email, other.email.toUpperCase(), 'no address'];
  for (const to of refused) assert.is((await ask(server, account, to)).status, 400, to);
  assert.is(await addressOf(server, account), account.email);
});

email('a link to the old address no longer sets a password', async ({ server }) => {
  const account = await server.account();
  await server.request('POST', '/auth/reset/request', { json: { email: account.email } });
  const reset = await linkMailedTo(server, account.email);
  const to = newAddress();
  await ask(server, account, to);
  assert.is((await confirm(server, await linkMailedTo(server, to))).status, 200);
  const json = { code: reset, password: 'an entirely new one' };
  assert.is((await server.request('POST', '/auth/reset/confirm', { json })).status, 400);
});

email('of two accounts that want one address, the first to confirm gets it', async ({ server }) => {
  const [first, second] = [await server.account(), await server.account()];
  const to = newAddress();
  await ask(server, first, to);
  const one = await linkMailedTo(server, to);
  await ask(server, second, to.replace('Moved', 'MOVED'));
  const two = await linkMailedTo(server, to.replace('Moved', 'MOVED'));
  assert.is.not(one, two);
  const statuses = (await Promise.all([confirm(server, one), confirm(server, two)])).map(
    ({ status }) => status,
  );
  assert.equal(statuses.sort(), [200, 400]);
});

email('a second mail within two minutes is refused with the time to wait', async ({ server }) => {
  const account = await server.account();
  assert.is((await ask(server, account, newAddress())).status, 200);
  const soon = await ask(server, account, newAddress());
  assert.is(soon.status, 429);
  assert.ok(Number(soon.headers.get('retry-after')) > 0);
});

email('a new password ends a link that was asked for with the old one', async ({ server }) => {
  const account = await server.account();
  const to = newAddress();
  await ask(server, account, to);
  const json = { currentPassword: account.password, newPassword: 'an entirely new one' };
  await server.request('PUT', '/user/get/@me/password', { json, key: account.key });
  assert.is((await confirm(server, await linkMailedTo(server, to))).status, 400);
  assert.is(await addressOf(server, account), account.email);
});

email.run();
