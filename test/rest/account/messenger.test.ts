// on both databases
import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeVerifyToken } from '../../../routers/features/auth/verify.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import type { Mood } from '../../standins/http.js';
import { BOT_NAME, BOT_TOKEN, startTelegram, type TelegramStandin } from '../../standins/telegram.js';
import { mailsTo } from '../../support/accounts/outbox.js';

interface World {
  telegram: TelegramStandin;
  server: TestServer;
}
const messenger = suite<World>('the messenger');
const env = (telegram: TelegramStandin) => ({
  MESSENGER_BOT_TOKEN: BOT_TOKEN,
  MESSENGER_API_URL: telegram.url,
});

messenger.before(async (world) => {
  world.telegram = await startTelegram();
  world.server = await startServer(env(world.telegram));
});
messenger.after(async ({ server, telegram }) => {
  await server.close();
  await telegram.close();
});
messenger.before.each(({ telegram }) => {
  telegram.mood = 'well';
});

/** An unverified account with its cookie. */
async function waiting(server: TestServer): Promise<{ user: TestAccount; headers: { cookie: string } }> {
  const user = await server.account('USER', { status: 'PENDING' });
  const token = await server.app.services.db.write((trx) => makeVerifyToken(trx, user.id));
  return { user, headers: { cookie: `verify_token=${token}` } };
}

/** Sends a message to the bot and waits for its answer to that person. */
async function say(telegram: TelegramStandin, userId: number, text: string): Promise<string> {
  const before = telegram.sent.length;
  const answers = () => telegram.sent.slice(before).filter(({ chat_id }) => chat_id === String(userId));
  await telegram.say({ text, userId });
  while (answers().length === 0) await turn();
  return answers()[0]?.text ?? '';
}

let nextPerson = 1000;
const person = () => nextPerson++;

async function isActive(server: TestServer, user: TestAccount): Promise<boolean> {
  return (await server.request('GET', '/auth/me', { key: user.key })).status === 200;
}

messenger('/start with the token activates the unverified account', async ({ server, telegram }) => {
  for (const path of ['/auth/verify/messenger', '/auth/verify/telegram']) {
    const { user, headers } = await waiting(server);
    const asked = await server.request('POST', path, { headers });
    assert.is(asked.status, 200);
    assert.is(asked.body.message.botname, BOT_NAME);
    const { token } = asked.body.message;
    assert.match(token, /^[\w-]{22,64}$/);
    assert.not.ok(await isActive(server, user));
    assert.match(await say(telegram, person(), `/start ${token}`), /active/);
    assert.ok(await isActive(server, user));
    assert.is((await server.request('POST', path, { headers })).status, 401);
  }
});

messenger('401 without the cookie of an unverified account', async ({ server }) => {
  for (const headers of [{}, { cookie: 'verify_token=made-up' }]) {
    assert.is((await server.request('POST', '/auth/verify/messenger', { headers })).status, 401);
  }
});

messenger(
  'a token works once, only the newest is valid, and for fifteen minutes',
  async ({ server, telegram }) => {
    const { user, headers } = await waiting(server);
    const ask = async () =>
      (await server.request('POST', '/auth/verify/messenger', { headers })).body.message.token;
    const [first, second] = [await ask(), await ask()];
    assert.match(await say(telegram, person(), `/start ${first}`), /wrong, already used or older/);
    const row = await server.app.services.db.read('messenger_codes').where('user_id', user.id).first();
    assert.ok(row.expires_at <= Date.now() + 15 * 60_000);
    assert.not.match(JSON.stringify(row), new RegExp(second));
    await server.app.services.db.write((trx) =>
      trx('messenger_codes').update({ expires_at: Date.now() - 1 }),
    );
    assert.match(await say(telegram, person(), `/start ${second}`), /wrong, already used or older/);
    assert.not.ok(await isActive(server, user));
    const third = await ask();
    await say(telegram, person(), `/start ${third}`);
    assert.ok(await isActive(server, user));
    assert.match(await say(telegram, person(), `/start ${third}`), /wrong, already used or older/);
  },
);

messenger('a token is invalidated when the address of its account changes', async ({ server, telegram }) => {
  const { user, headers } = await waiting(server);
  const asked = await server.request('POST', '/auth/verify/messenger', { headers });
  const moved = await server.request('POST', '/auth/verify/resendemail', {
    headers: { cookie: `${headers.cookie}; new_email=moved-${user.email}` },
  });
  assert.is(moved.status, 200);
  await say(telegram, person(), `/start ${asked.body.message.token}`);
  assert.not.ok(await isActive(server, user));
});

messenger('a banned account is not activated', async ({ server, telegram }) => {
  const { user, headers } = await waiting(server);
  const asked = await server.request('POST', '/auth/verify/messenger', { headers });
  await server.app.services.db.write((trx) => trx('users').where('id', user.id).update({ role: 'BANNED' }));
  await say(telegram, person(), `/start ${asked.body.message.token}`);
  const row = await server.app.services.db.read('users').where('id', user.id).first();
  assert.is(row.status, 'PENDING');
});

messenger('a signed-in account can be linked, shown and unlinked', async ({ server, telegram }) => {
  for (const [method, path] of [
    ['DELETE', '/telegram/@me'],
    ['POST', '/telegram/@me/revoke'],
    ['DELETE', '/telegram/@me/revoke'],
  ] as const) {
    const user = await server.account();
    const { key } = user;
    assert.is((await server.request('GET', '/telegram/@me', { key })).status, 404);
    const asked = await server.request('POST', '/telegram/connect/request', { key });
    assert.is(asked.body.message.botname, BOT_NAME);
    const who = person();
    assert.match(await say(telegram, who, `/start ${asked.body.message.token}`), /Linked/);
    const mine = await server.request('GET', '/telegram/@me', { key });
    assert.is(mine.body.message.telegramId, String(who));
    assert.is(mine.body.message.username, 'ada');
    assert.is(mine.body.message.user.uid, user.id);
    assert.is((await server.request(method, path, { key })).status, 200);
    assert.is((await server.request(method, path, { key })).status, 404);
  }
  assert.is((await server.request('POST', '/telegram/connect/request')).status, 401);
});

messenger('one messenger account can be linked to one account only', async ({ server, telegram }) => {
  const [ann, bob] = [await server.account(), await server.account()];
  const token = async ({ key }: TestAccount) =>
    (await server.request('POST', '/telegram/connect/request', { key })).body.message.token;
  const who = person();
  assert.match(await say(telegram, who, `/start ${await token(ann)}`), /Linked/);
  assert.match(await say(telegram, who, `/start ${await token(bob)}`), /another account/);
  assert.is((await server.request('GET', '/telegram/@me', { key: bob.key })).status, 404);
  const other = person();
  assert.match(await say(telegram, other, `/start ${await token(ann)}`), /Linked/);
  const mine = await server.request('GET', '/telegram/@me', { key: ann.key });
  assert.is(mine.body.message.telegramId, String(other));
});

messenger('the holder is told by mail when a messenger account is linked or unlinked', async (world) => {
  const { server, telegram } = world;
  const user = await server.account();
  const link = async (who: number) => {
    const asked = await server.request('POST', '/telegram/connect/request', { key: user.key });
    assert.match(await say(telegram, who, `/start ${asked.body.message.token}`), /Linked/);
  };
  const told = async () =>
    (await mailsTo(server, user.email)).map(({ text }) => text.replaceAll(/\s+/g, ' '));
  const who = person();
  await link(who);
  await link(who);
  assert.is((await told()).length, 1, 'the same one again changes nothing');
  assert.match((await told())[0] ?? '', /The messenger account Ada .*was linked to your account/);
  await link(person());
  assert.is((await told()).length, 2);
  assert.is((await server.request('DELETE', '/telegram/@me', { key: user.key })).status, 200);
  assert.ok((await told()).some((text) => text.includes('The messenger account was unlinked')));
});

messenger('a person who blocked the bot is still verified', async ({ server, telegram }) => {
  const { user, headers } = await waiting(server);
  const asked = await server.request('POST', '/auth/verify/messenger', { headers });
  const who = person();
  telegram.blocked.add(String(who));
  await telegram.say({ text: `/start ${asked.body.message.token}`, userId: who });
  while (!(await isActive(server, user))) await turn();
});

messenger('502 when the bot cannot be asked for its name', async () => {
  const telegram = await startTelegram();
  const server = await startServer(env(telegram));
  try {
    for (const mood of ['down', 'lie', 'redirect', 'flood'] satisfies Mood[]) {
      telegram.mood = mood;
      const asked = await server.request('POST', '/telegram/connect/request', { key: server.owner.key });
      assert.is(asked.status, 502, mood);
      assert.not.match(asked.text, /canary/);
    }
  } finally {
    await server.close();
    await telegram.close();
  }
});

messenger('404 when no messenger is configured', async () => {
  const bare = await startServer();
  try {
    const { key } = bare.owner;
    assert.is((await bare.request('POST', '/telegram/connect/request', { key })).status, 404);
    assert.is((await bare.request('POST', '/telegram/webhook', { json: {} })).status, 404);
  } finally {
    await bare.close();
  }
});

messenger.run();
