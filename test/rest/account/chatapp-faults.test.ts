// on both databases
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { type DiscordStandin, startDiscord } from '../../standins/discord.js';
import type { Mood } from '../../standins/http.js';
import { chatEnv, cookieOf, journey, somebody, tokensFor } from '../../support/accounts/chatapp.js';
import { followRequests, justBefore } from '../../support/servers/interleave.js';

interface World {
  discord: DiscordStandin;
  server: TestServer;
}
const faults = suite<World>('chat provider failures');

faults.before(async (world) => {
  world.discord = await startDiscord();
  world.server = await startServer(chatEnv(world.discord));
});
faults.after(async ({ server, discord }) => {
  await server.close();
  await discord.close();
});
faults.before.each(({ discord }) => {
  discord.mood = 'well';
});

const stale = (server: TestServer, userId: number) =>
  server.app.services.db.write((trx) =>
    trx('chat_links')
      .where('user_id', userId)
      .update({ expires_at: Date.now() + 1000 }),
  );

faults(
  '502 and no partial link when the provider is down, lies, redirects or floods',
  async ({ server, discord }) => {
    const user = await server.account();
    discord.person = somebody();
    for (const mood of ['down', 'lie', 'redirect', 'flood'] satisfies Mood[]) {
      const json = tokensFor(discord, discord.person);
      const trip = await journey(server, 'link', user.key);
      const entry = await journey(server, 'login');
      discord.mood = mood;
      const answers = [
        await server.request('POST', '/chatapp/authorize', { key: user.key, json }),
        await server.request('GET', trip.callback, { headers: { cookie: trip.cookie } }),
        await server.request('GET', entry.callback, { headers: { cookie: entry.cookie } }),
        await server.request('POST', '/chatapp/login', { key: server.owner.key, json }),
      ];
      for (const answer of answers) {
        assert.is(answer.status, 502, mood);
        assert.type(answer.body.message, 'string');
        assert.not.match(answer.text, /canary|127\.0\.0\.1/);
        assert.is(cookieOf(answer, 'session_token'), null);
      }
      discord.mood = 'well';
      assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 404);
    }
  },
);

faults('502 when revoking a token and the provider is down', async ({ server, discord }) => {
  discord.mood = 'down';
  assert.is((await server.request('DELETE', '/chatapp/token/abc', { key: server.owner.key })).status, 502);
});

faults(
  'unlinking works while the provider is down; the tokens are revoked once it is back',
  async ({ server, discord }) => {
    const user = await server.account();
    const json = tokensFor(discord, somebody());
    await server.request('POST', '/chatapp/authorize', { key: user.key, json });
    discord.mood = 'down';
    assert.is((await server.request('DELETE', '/chatapp/get/@me', { key: user.key })).status, 200);
    assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 404);
    await server.app.services.jobs.settle();
    assert.ok(discord.accessTokens.has(json.accessToken));
    discord.mood = 'well';
    await server.app.services.db.write((trx) =>
      trx('jobs').where('kind', 'chatRevoke').update({ run_at: 0 }),
    );
    await server.app.services.jobs.settle();
    assert.not.ok(discord.accessTokens.has(json.accessToken) || discord.refreshTokens.has(json.refreshToken));
  },
);

faults('stale tokens are refreshed on access, once for concurrent readers', async ({ server, discord }) => {
  const known = discord.refreshTokens.size;
  const user = await server.account();
  const json = tokensFor(discord, somebody());
  await server.request('POST', '/chatapp/authorize', { key: user.key, json });
  await stale(server, user.id);
  const before = discord.requests.length;
  await Promise.all(
    Array.from({ length: 8 }, () => server.request('GET', '/chatapp/get/@me', { key: user.key })),
  );
  assert.is(discord.requests.length, before + 1);
  const mine = await server.request('GET', '/chatapp/get/@me', { key: user.key });
  assert.ok(Date.parse(mine.body.message.expiresAt) > Date.now() + 600_000_000);
  await server.request('DELETE', '/chatapp/get/@me', { key: user.key });
  assert.is(discord.refreshTokens.size, known);
});

faults('signing in during a token refresh keeps the newer tokens', async ({ server, discord }) => {
  const chatApp = server.app.services.chat.app;
  const user = await server.account();
  const person = somebody();
  await server.request('POST', '/chatapp/authorize', { key: user.key, json: tokensFor(discord, person) });
  await stale(server, user.id);
  const newer = tokensFor(discord, person);
  followRequests(server.app.server);
  justBefore(chatApp, 'refresh', async () => {
    const signedIn = await server.request('POST', '/chatapp/login', { key: server.owner.key, json: newer });
    assert.is(signedIn.status, 200, signedIn.text);
  });
  assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 200);
  await server.app.services.jobs.settle();
  assert.ok(discord.accessTokens.has(newer.accessToken) && discord.refreshTokens.has(newer.refreshToken));
});

faults('unlinking during a token refresh leaves no valid token', async ({ server, discord }) => {
  const known = discord.refreshTokens.size;
  const user = await server.account();
  await server.request('POST', '/chatapp/authorize', {
    key: user.key,
    json: tokensFor(discord, somebody()),
  });
  await stale(server, user.id);
  followRequests(server.app.server);
  justBefore(server.app.services.chat.app, 'refresh', async () => {
    const { db } = server.app.services;
    await db.write((trx) => trx('chat_links').where('user_id', user.id).delete());
  });
  await server.request('GET', '/chatapp/get/@me', { key: user.key });
  await server.app.services.jobs.settle();
  assert.is(discord.refreshTokens.size, known);
});

faults('a link survives a provider that is down or has revoked its tokens', async ({ server, discord }) => {
  const user = await server.account();
  const json = tokensFor(discord, somebody());
  await server.request('POST', '/chatapp/authorize', { key: user.key, json });
  await stale(server, user.id);
  discord.mood = 'down';
  assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 200);
  discord.mood = 'well';
  discord.refreshTokens.clear();
  await server.app.services.db.write((trx) => trx('chat_links').update({ renewing_until: null }));
  assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 200);
  const asked = discord.requests.length;
  assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 200);
  assert.is(discord.requests.length, asked);
});

faults('strict cookies do not break the return of the browser', async ({ discord }) => {
  const strict = await startServer({ ...chatEnv(discord), COOKIE_SAMESITE: 'strict' });
  try {
    const start = await strict.request('GET', '/chatapp/start');
    assert.match(start.headers.getSetCookie()[0] ?? '', /SameSite=Lax/);
  } finally {
    await strict.close();
  }
});

faults('404 when no chat application is configured', async () => {
  const bare = await startServer();
  try {
    assert.is((await bare.request('GET', '/chatapp/start')).status, 404);
    const json = { accessToken: 't' };
    assert.is((await bare.request('POST', '/chatapp/authorize', { key: bare.owner.key, json })).status, 404);
    assert.is((await bare.request('GET', '/chatapp/get/@me', { key: bare.owner.key })).status, 404);
    const state = { code: 'c', state: 's' };
    assert.is((await bare.request('POST', '/chatapp/login', { json: state })).status, 400);
  } finally {
    await bare.close();
  }
});

faults.run();
