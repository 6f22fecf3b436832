// on both databases
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { type DiscordStandin, startDiscord } from '../../standins/discord.js';
import { sessionOf } from '../../support/accounts/accounts.js';
import { chatEnv, cookieOf, journey, somebody, tokensFor } from '../../support/accounts/chatapp.js';

interface World {
  discord: DiscordStandin;
  server: TestServer;
}
const chatapp = suite<World>('linking a chat account');

chatapp.before(async (world) => {
  world.discord = await startDiscord();
  world.server = await startServer(chatEnv(world.discord));
});
chatapp.after(async ({ server, discord }) => {
  await server.close();
  await discord.close();
});
chatapp.before.each(({ discord }) => {
  discord.mood = 'well';
});

chatapp('tokens link the account they belong to, and are never returned', async ({ server, discord }) => {
  const user = await server.account();
  const person = somebody();
  const tokens = tokensFor(discord, person);
  const linked = await server.request('POST', '/chatapp/authorize', { key: user.key, json: tokens });
  assert.is(linked.status, 200);
  const { message } = linked.body;
  assert.is(message.chatappId, person.id);
  assert.is(message.discordId, person.id);
  assert.is(message.username, person.username);
  assert.is(message.globalName, 'Ada L.');
  assert.is(message.email, 'ada@example.org');
  assert.is(message.user.uid, user.id);
  assert.ok(Date.parse(message.expiresAt) > Date.now() + 600_000_000);
  for (const path of ['/chatapp/get/@me', '/discord/get/@me']) {
    const mine = await server.request('GET', path, { key: user.key });
    assert.is(mine.status, 200);
    assert.equal(mine.body.message, message);
    assert.not.match(mine.text, /canary/);
  }
});

chatapp('tokens are never stored in plain text', async ({ server, discord }) => {
  const user = await server.account();
  const json = tokensFor(discord, somebody());
  await server.request('POST', '/chatapp/authorize', { key: user.key, json });
  for (const name of ['holdall.db', 'holdall.db-wal']) {
    const bytes = await readFile(join(server.dataDir, name)).catch(() => Buffer.alloc(0));
    assert.not.ok(bytes.includes('access-canary') || bytes.includes('refresh-canary'), name);
  }
});

chatapp('the browser flow works: start, consent, callback', async ({ server, discord }) => {
  for (const prefix of ['/chatapp', '/discord']) {
    const user = await server.account();
    discord.person = somebody();
    const trip = await journey(server, 'link', user.key, prefix);
    const back = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
    assert.is(back.status, 302);
    assert.match(back.headers.get('location') ?? '', /\/web\/settings\/security/);
    assert.is(cookieOf(back, 'oauth_state'), '');
    const mine = await server.request('GET', '/chatapp/get/@me', { key: user.key });
    assert.is(mine.body.message.chatappId, discord.person.id);

    const entry = await journey(server, 'login', undefined, prefix);
    const entered = await server.request('GET', entry.callback, { headers: { cookie: entry.cookie } });
    assert.is(entered.status, 302);
    const session = cookieOf(entered, 'session_token');
    const me = await server.request('GET', '/auth/me', { headers: { cookie: `session_token=${session}` } });
    assert.is(me.body.message.uid, user.id);
  }
});

chatapp(
  'the start sends state, challenge and our callback, and sets an HttpOnly cookie',
  async ({ server }) => {
    const start = await server.request('GET', '/chatapp/start');
    assert.is(start.status, 302);
    const to = new URL(start.headers.get('location') ?? '');
    assert.is(to.searchParams.get('redirect_uri'), `${server.base}/chatapp/callback`);
    assert.is(to.searchParams.get('code_challenge_method'), 'S256');
    assert.ok((to.searchParams.get('state') ?? '').length >= 40);
    const [cookie] = start.headers.getSetCookie();
    assert.match(cookie ?? '', /^oauth_state=[\w-]{40,}; .*HttpOnly.*SameSite=Lax.*Max-Age=600/);
    assert.is((await server.request('GET', '/chatapp/start?intent=link')).status, 401);
    assert.is((await server.request('GET', '/chatapp/start?intent=steal')).status, 400);
    for (const empty of ['intent=', 'intent'])
      assert.is((await server.request('GET', `/chatapp/start?${empty}`)).status, 302, empty);
  },
);

chatapp('what one account began to link is finished in no other session', async ({ server, discord }) => {
  const [ann, ben] = [await server.account(), await server.account()];
  const session = `session_token=${await sessionOf(server, ann)}`;
  discord.person = somebody();
  const linked = async () => {
    const seen = await server.request('GET', '/chatapp/get/@me', { key: ann.key });
    return seen.status === 200;
  };
  for (const [begun, ended, status] of [
    [session, `session_token=${await sessionOf(server, ben)}`, 400],
    [session, null, 400],
    [ann.key, `session_token=${await sessionOf(server, ben)}`, 400],
    [session, session, 302],
  ] as const) {
    const trip = await journey(server, 'link', begun);
    const cookie = ended === null ? trip.cookie : `${trip.cookie}; ${ended}`;
    assert.is((await server.request('GET', trip.callback, { headers: { cookie } })).status, status);
    assert.is(await linked(), status === 302);
  }
});

chatapp('another site cannot lead a browser to link an account, under either name', async ({ server }) => {
  for (const name of ['chatapp', 'discord'])
    for (const [query, site, status] of [
      ['?intent=link', 'cross-site', 403],
      // Nobody is signed in here.
      ['?intent=link', 'same-origin', 401],
      ['?intent=login', 'cross-site', 302],
    ] as const) {
      const headers = { 'sec-fetch-site': site };
      const answer = await server.request('GET', `/${name}/start${query}`, { headers });
      assert.is(answer.status, status, `${name} ${query} ${site}`);
    }
});

chatapp(
  'a paused account signs in and links nothing, whenever it was paused',
  async ({ server, discord }) => {
    const user = await server.account();
    const linked = somebody();
    discord.person = linked;
    const first = await journey(server, 'link', user.key);
    await server.request('GET', first.callback, { headers: { cookie: first.cookie } });
    discord.person = somebody();
    const trip = await journey(server, 'link', user.key);
    await server.request('POST', `/admin/limits/users/${user.id}/pause`, {
      key: server.owner.key,
      json: { indefinite: true },
    });
    const refused = [
      await server.request('GET', '/chatapp/start?intent=link', { key: user.key }),
      await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } }),
    ];
    for (const { status, body } of refused) {
      assert.is(status, 403);
      assert.match(body.message, /^Your account is paused/);
    }
    const mine = await server.request('GET', '/chatapp/get/@me', { key: user.key });
    assert.is(mine.body.message.chatappId, linked.id);
    discord.person = linked;
    const entry = await journey(server, 'login');
    const entered = await server.request('GET', entry.callback, { headers: { cookie: entry.cookie } });
    assert.ok(cookieOf(entered, 'session_token'));
  },
);

chatapp('code and state also work where a client accepts them', async ({ server, discord }) => {
  const user = await server.account();
  discord.person = somebody();
  const trip = await journey(server, 'link', user.key);
  const linked = await server.request('POST', '/chatapp/authorize', {
    key: user.key,
    json: { code: trip.code, state: trip.state },
    headers: { cookie: trip.cookie },
  });
  assert.is(linked.status, 200);
  const entry = await journey(server, 'login');
  const entered = await server.request('POST', '/discord/login', {
    json: { code: entry.code, state: entry.state },
    headers: { cookie: entry.cookie },
  });
  assert.is(entered.status, 200);
  assert.is(entered.body.message.apiKey, user.key);
  assert.ok(cookieOf(entered, 'session_token'));
});

chatapp(
  '400: a state that lacks its cookie, or is foreign, forged or used, is rejected',
  async ({ server, discord }) => {
    const user = await server.account();
    discord.person = somebody();
    const trip = await journey(server, 'link', user.key);
    const other = await journey(server, 'link', user.key);
    const wrong = [
      { headers: {} },
      { headers: { cookie: 'oauth_state=forged' } },
      { headers: { cookie: other.cookie } },
    ];
    for (const options of wrong) {
      assert.is((await server.request('GET', trip.callback, options)).status, 400);
      const { code, state } = trip;
      const posted = { ...options, key: user.key, json: { code, state } };
      assert.is((await server.request('POST', '/chatapp/authorize', posted)).status, 400);
    }
    assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 404);
    const right = { headers: { cookie: trip.cookie } };
    assert.is((await server.request('GET', trip.callback, right)).status, 302);
    assert.is((await server.request('GET', trip.callback, right)).status, 400);
  },
);

chatapp('400: a flow begun by or for another account cannot be completed', async ({ server, discord }) => {
  const [ann, bob] = [await server.account(), await server.account()];
  discord.person = somebody();
  const trip = await journey(server, 'link', ann.key);
  const stolen = await server.request('POST', '/chatapp/authorize', {
    key: bob.key,
    json: { code: trip.code, state: trip.state },
    headers: { cookie: trip.cookie },
  });
  assert.is(stolen.status, 400);
  const entry = await journey(server, 'login');
  const misused = await server.request('POST', '/chatapp/authorize', {
    key: bob.key,
    json: { code: entry.code, state: entry.state },
    headers: { cookie: entry.cookie },
  });
  assert.is(misused.status, 400);
  assert.is((await server.request('GET', '/chatapp/get/@me', { key: bob.key })).status, 404);
});

chatapp('400: a state older than ten minutes', async ({ server, discord }) => {
  discord.person = somebody();
  const trip = await journey(server, 'login');
  await server.app.services.db.write((trx) => trx('oauth_states').update({ expires_at: Date.now() - 1 }));
  const late = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
  assert.is(late.status, 400);
});

chatapp(
  '400: refused consent, a wrong code, a dead token, or an empty request',
  async ({ server, discord }) => {
    const user = await server.account();
    discord.person = somebody();
    const refused = await journey(server, 'login');
    const answer = await server.request(
      'GET',
      `/chatapp/callback?error=access_denied&state=${refused.state}`,
      {
        headers: { cookie: refused.cookie },
      },
    );
    assert.is(answer.status, 400);
    const trip = await journey(server, 'login');
    const wrong = await server.request('GET', `/chatapp/callback?code=made-up&state=${trip.state}`, {
      headers: { cookie: trip.cookie },
    });
    assert.is(wrong.status, 400);
    for (const json of [
      {},
      { accessToken: 'dead' },
      { accessToken: 'a b' },
      { accessToken: 'x'.repeat(5000) },
      { accessToken: 7 },
      { accessToken: 't', expiresAt: -1 },
      { code: 'c' },
    ]) {
      const tried = await server.request('POST', '/chatapp/authorize', { key: user.key, json });
      assert.is(tried.status, 400, JSON.stringify(json));
      assert.type(tried.body.message, 'string');
    }
    assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 404);
  },
);

chatapp('400: if two accounts link one chat account, one succeeds', async ({ server, discord }) => {
  const [ann, bob] = [await server.account(), await server.account()];
  const person = somebody();
  const tries = await Promise.all(
    [ann, bob, ann, bob].map(({ key }) =>
      server.request('POST', '/chatapp/authorize', { key, json: tokensFor(discord, person) }),
    ),
  );
  assert.equal(tries.map(({ status }) => status).sort(), [200, 200, 400, 400]);
  const statuses = await Promise.all(
    [ann, bob].map(async ({ key }) => (await server.request('GET', '/chatapp/get/@me', { key })).status),
  );
  assert.equal(statuses.sort(), [200, 404]);
});

chatapp(
  'linking another chat account replaces the first, whose tokens are revoked',
  async ({ server, discord }) => {
    const user = await server.account();
    const first = tokensFor(discord, somebody());
    const second = somebody();
    await server.request('POST', '/chatapp/authorize', { key: user.key, json: first });
    const json = tokensFor(discord, second);
    await server.request('POST', '/chatapp/authorize', { key: user.key, json });
    const mine = await server.request('GET', '/chatapp/get/@me', { key: user.key });
    assert.is(mine.body.message.chatappId, second.id);
    await server.app.services.jobs.settle();
    assert.not.ok(
      discord.accessTokens.has(first.accessToken) || discord.refreshTokens.has(first.refreshToken),
    );
    assert.ok(discord.accessTokens.has(json.accessToken));
  },
);

chatapp(
  'login with a token is for administrators; the session is that of the linked account',
  async ({ server, discord }) => {
    const user = await server.account();
    const person = somebody();
    await server.request('POST', '/chatapp/authorize', { key: user.key, json: tokensFor(discord, person) });
    const json = tokensFor(discord, person);
    assert.is((await server.request('POST', '/chatapp/login', { json })).status, 401);
    assert.is((await server.request('POST', '/chatapp/login', { key: user.key, json })).status, 403);
    const entered = await server.request('POST', '/chatapp/login', { key: server.owner.key, json });
    assert.is(entered.status, 200);
    assert.is(entered.body.message.id, user.id);
    const session = cookieOf(entered, 'session_token');
    const me = await server.request('GET', '/auth/me', { headers: { cookie: `session_token=${session}` } });
    assert.is(me.body.message.uid, user.id);
  },
);

chatapp(
  '404: no account has linked this chat account; its fresh tokens are revoked',
  async ({ server, discord }) => {
    discord.person = somebody();
    const trip = await journey(server, 'login');
    const before = discord.accessTokens.size;
    const lost = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
    assert.is(lost.status, 404);
    assert.is(lost.body.message, 'Resource not found');
    assert.is(cookieOf(lost, 'session_token'), null);
    await server.app.services.jobs.settle();
    assert.is(discord.accessTokens.size, before);
  },
);

chatapp('403: banned and unverified accounts cannot sign in this way either', async ({ server, discord }) => {
  for (const change of [{ role: 'BANNED' }, { status: 'PENDING' }]) {
    const user = await server.account();
    discord.person = somebody();
    const json = tokensFor(discord, discord.person);
    await server.request('POST', '/chatapp/authorize', { key: user.key, json });
    await server.app.services.db.write((trx) => trx('users').where('id', user.id).update(change));
    const trip = await journey(server, 'login');
    const refused = await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } });
    assert.is(refused.status, 403);
    assert.is(cookieOf(refused, 'session_token'), null);
  }
});

chatapp('unlinking revokes the tokens at the provider', async ({ server, discord }) => {
  const user = await server.account();
  const json = tokensFor(discord, somebody());
  await server.request('POST', '/chatapp/authorize', { key: user.key, json });
  assert.is((await server.request('DELETE', '/chatapp/get/@me', { key: user.key })).status, 200);
  assert.not.ok(discord.accessTokens.has(json.accessToken) || discord.refreshTokens.has(json.refreshToken));
  assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 404);
  assert.is((await server.request('DELETE', '/chatapp/get/@me', { key: user.key })).status, 404);
});

chatapp('deleting an account frees its chat account and revokes its tokens', async ({ server, discord }) => {
  const [gone, next] = [await server.account(), await server.account()];
  const person = somebody();
  const json = tokensFor(discord, person);
  await server.request('POST', '/chatapp/authorize', { key: gone.key, json });
  const { password } = gone;
  assert.is(
    (await server.request('DELETE', '/user/get/@me', { key: gone.key, json: { password } })).status,
    200,
  );
  await server.app.services.jobs.settle();
  assert.not.ok(discord.accessTokens.has(json.accessToken) || discord.refreshTokens.has(json.refreshToken));
  const again = tokensFor(discord, person);
  assert.is((await server.request('POST', '/chatapp/authorize', { key: next.key, json: again })).status, 200);
});

chatapp('administrators can find a link by its id and revoke tokens', async ({ server, discord }) => {
  const user = await server.account();
  const person = somebody();
  const json = tokensFor(discord, person);
  await server.request('POST', '/chatapp/authorize', { key: user.key, json });
  const found = await server.request('GET', `/discord/get/${person.id}`, { key: server.owner.key });
  assert.is(found.body.message.user.username, user.username);
  assert.is((await server.request('GET', '/chatapp/get/1', { key: server.owner.key })).status, 404);
  assert.is((await server.request('GET', `/chatapp/get/${person.id}`, { key: user.key })).status, 403);
  const path = `/chatapp/token/${json.accessToken}`;
  assert.is((await server.request('DELETE', path, { key: user.key })).status, 403);
  assert.is((await server.request('DELETE', path, { key: server.owner.key })).status, 200);
  assert.not.ok(discord.accessTokens.has(json.accessToken));
});

chatapp('401 without an account, 403 from another site', async ({ server }) => {
  for (const [method, path] of [
    ['POST', '/chatapp/authorize'],
    ['GET', '/chatapp/get/@me'],
    ['DELETE', '/chatapp/get/@me'],
    ['GET', '/chatapp/get/123'],
    ['DELETE', '/chatapp/token/abc'],
  ] as const) {
    assert.is((await server.request(method, path)).status, 401, `${method} ${path}`);
  }
  const headers = { origin: 'https://evil.example' };
  const json = { code: 'c', state: 's' };
  assert.is((await server.request('POST', '/chatapp/login', { headers, json })).status, 403);
  assert.is((await server.request('POST', '//trpc/chatapp.login', { headers, json })).status, 403);
});

chatapp.run();
