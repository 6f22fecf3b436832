/** How long a linked chat account can sign in, and how the account holder is told about links. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mainKeyCipher } from '../../../db/account/main-key.js';
import { startServer, type TestAccount, type TestServer } from '../../harness.js';
import { type DiscordPerson, type DiscordStandin, startDiscord } from '../../standins/discord.js';
import { cookies, sessionOf } from '../../support/accounts/accounts.js';
import { chatEnv, cookieOf, journey, somebody, tokensFor } from '../../support/accounts/chatapp.js';
import { linkMailedTo, mailsTo } from '../../support/accounts/outbox.js';
import { followRequests, justAfter, justBefore } from '../../support/servers/interleave.js';

interface World {
  discord: DiscordStandin;
  server: TestServer;
}
const ends = suite<World>('end of a chat link');
const NEW_PASSWORD = 'another one altogether';

ends.before(async (world) => {
  world.discord = await startDiscord();
  world.server = await startServer(chatEnv(world.discord));
  followRequests(world.server.app.server);
});
ends.after(async ({ server, discord }) => {
  await server.close();
  await discord.close();
});

async function link(world: World, user: TestAccount, person: DiscordPerson) {
  const json = tokensFor(world.discord, person);
  const { status } = await world.server.request('POST', '/chatapp/authorize', { key: user.key, json });
  assert.is(status, 200);
  return json;
}

async function resetByMail(server: TestServer, user: TestAccount): Promise<void> {
  await server.request('POST', '/auth/reset/request', { json: { email: user.email } });
  const code = await linkMailedTo(server, user.email);
  const json = { code, password: NEW_PASSWORD };
  assert.is((await server.request('POST', '/auth/reset/confirm', { json })).status, 200);
}

async function setByAdministrator(server: TestServer, user: TestAccount): Promise<void> {
  const json = { password: NEW_PASSWORD };
  const path = `/admin/user/${user.id}`;
  assert.is((await server.request('PUT', path, { key: server.owner.key, json })).status, 200);
}

async function changeByHolder(server: TestServer, user: TestAccount): Promise<void> {
  const json = { currentPassword: user.password, newPassword: NEW_PASSWORD };
  const answer = await server.request('PUT', '/user/get/@me/password', { key: user.key, json });
  assert.is(answer.status, 200);
}

/** The status of the account's link, asked with its present key. */
async function mine(server: TestServer, { id }: TestAccount): Promise<number> {
  const { db, secrets } = server.app.services;
  const key = secrets.decrypt((await mainKeyCipher(db.read, id)) ?? '');
  return (await server.request('GET', '/chatapp/get/@me', { key })).status;
}

/** The status of a login with this chat account. */
async function logIn({ server, discord }: World, person: DiscordPerson): Promise<number> {
  discord.person = person;
  const { callback, cookie } = await journey(server, 'login');
  return (await server.request('GET', callback, { headers: { cookie } })).status;
}

for (const [how, replace] of [
  ['reset by mail', resetByMail],
  ['set by an administrator', setByAdministrator],
] as const) {
  ends(`a password that is ${how} ends the link, its tokens and pending links`, async (world) => {
    const { server, discord } = world;
    const user = await server.account();
    const person = somebody();
    const tokens = await link(world, user, person);
    discord.person = somebody();
    const trip = await journey(server, 'link', user.key);
    await replace(server, user);
    assert.is(await mine(server, user), 404);
    assert.is(await logIn(world, person), 404);
    const late = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
    assert.is(late.status, 400);
    assert.is(await mine(server, user), 404);
    await server.app.services.jobs.settle();
    assert.not(discord.accessTokens.has(tokens.accessToken));
    assert.not(discord.refreshTokens.has(tokens.refreshToken));
    const events = await server.app.services.db.read('audit_log').where('subject_id', user.id).pluck('event');
    assert.ok(events.includes('chatapp.unlinked'));
  });

  ends(`a link or login that is pending while the password is ${how} fails`, async (world) => {
    const { server, discord } = world;
    const {
      chat: { app: chatApp },
      jobs,
      db,
    } = server.app.services;
    const user = await server.account();
    const json = tokensFor(discord, somebody());
    justBefore(chatApp, 'whoAmI', () => replace(server, user));
    const shown = await server.request('POST', '/chatapp/authorize', { key: user.key, json });
    assert.is(shown.status, 401, shown.text);
    const other = await server.account();
    discord.person = somebody();
    const trip = await journey(server, 'link', other.key);
    justBefore(chatApp, 'exchange', () => replace(server, other));
    const back = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
    assert.is(back.status, 401, back.text);
    assert.equal(await db.read('chat_links').whereIn('user_id', [user.id, other.id]), []);
    await jobs.settle();
    assert.not(discord.accessTokens.has(json.accessToken));

    const linked = await server.account();
    await link(world, linked, discord.person);
    const entry = await journey(server, 'login');
    justBefore(chatApp, 'whoAmI', async () => justAfter(db, 'write', () => replace(server, linked)));
    const entered = await server.request('GET', entry.callback, { headers: { cookie: entry.cookie } });
    assert.is(entered.status, 403, entered.text);
    assert.is(cookieOf(entered, 'session_token'), null);
  });
}

ends('other changes by an administrator keep the link', async (world) => {
  const { server } = world;
  const user = await server.account();
  await link(world, user, somebody());
  const path = `/admin/user/${user.id}`;
  const json = { role: 'MODERATOR' };
  assert.is((await server.request('PUT', path, { key: server.owner.key, json })).status, 200);
  assert.is(await mine(server, user), 200);
});

ends('a password change by the holder keeps the link, but ends other pending links', async (world) => {
  const { server, discord } = world;
  const user = await server.account();
  const person = somebody();
  await link(world, user, person);
  discord.person = somebody();
  const trip = await journey(server, 'link', user.key);
  await changeByHolder(server, user);
  const late = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
  assert.is(late.status, 400);
  assert.is(await logIn(world, person), 302);
});

ends('after a password change the page names the chat account that stays linked', async (world) => {
  const { server } = world;
  const user = await server.account();
  const person = somebody();
  const show = async () => {
    const headers = cookies({ session_token: await sessionOf(server, user) });
    return (await server.request('GET', '//web/settings/security?done=saved', { headers })).text;
  };
  const sentence = `<bdi>${person.username}</bdi> can sign in without it`;
  assert.not.match(await show(), /can sign in without it/);
  await link(world, user, person);
  assert.match(await show(), sentence);
});

ends('the holder gets one mail for each chat account that is linked', async (world) => {
  const { server, discord } = world;
  const user = await server.account();
  const [first, second] = [somebody(), somebody()];
  await link(world, user, first);
  await link(world, user, first);
  discord.person = second;
  const trip = await journey(server, 'link', user.key);
  await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
  const mails = await mailsTo(server, user.email);
  assert.equal(
    mails.map(({ subject }) => subject),
    Array(2).fill('A chat account was linked to your Holdall account'),
  );
  const texts = mails.map(({ text }) => text).join();
  for (const { username } of [first, second]) assert.match(texts, username);
  assert.match(texts, `${server.origin}/web/settings/security`);
});

ends('the holder gets a mail when the chat account is unlinked', async (world) => {
  const { server } = world;
  const user = await server.account();
  const person = somebody();
  await link(world, user, person);
  const unlink = () => server.request('DELETE', '/chatapp/get/@me', { key: user.key });
  assert.is((await unlink()).status, 200);
  assert.is((await unlink()).status, 404);
  const mails = await mailsTo(server, user.email);
  assert.is(mails.length, 2);
  const told = mails.filter(({ text }) => text.includes(`${person.username} was unlinked`));
  assert.is(told.length, 1, mails.map(({ text }) => text).join());
});

ends.run();
