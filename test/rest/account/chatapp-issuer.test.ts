import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startServer, type TestServer } from '../../harness.js';
import { type DiscordStandin, startDiscord } from '../../standins/discord.js';
import { chatEnv, cookieOf, somebody, tokensFor } from '../../support/accounts/chatapp.js';

interface World {
  discord: DiscordStandin;
  server: TestServer;
}
const issuer = suite<World>('audience of chat application tokens');

issuer.before(async (world) => {
  world.discord = await startDiscord();
  world.server = await startServer(chatEnv(world.discord));
});
issuer.after(async ({ server, discord }) => {
  await server.close();
  await discord.close();
});

issuer('400: a token issued to another application neither links nor signs in', async (world) => {
  const { server, discord } = world;
  const [user, linked] = [await server.account(), await server.account()];
  const person = somebody();
  await server.request('POST', '/chatapp/authorize', { key: linked.key, json: tokensFor(discord, person) });
  const json = tokensFor(discord, person);
  discord.issuedElsewhere.set(json.accessToken, '1234');
  const dead = await server.request('POST', '/chatapp/authorize', {
    key: user.key,
    json: { accessToken: 'dead' },
  });
  for (const [path, key] of [
    ['/chatapp/authorize', user.key],
    ['/chatapp/authorize', linked.key],
    ['/chatapp/login', server.owner.key],
  ] as const) {
    const refused = await server.request('POST', path, { key, json });
    assert.equal([refused.status, refused.body.message], [400, dead.body.message], path);
    assert.is(cookieOf(refused, 'session_token'), null);
  }
  assert.is((await server.request('GET', '/chatapp/get/@me', { key: user.key })).status, 404);
});

issuer('a provider that does not report the audience of a token is trusted', async ({ server, discord }) => {
  const user = await server.account();
  discord.aboutToken = { status: 404, body: { message: '404: Not Found' } };
  const json = tokensFor(discord, somebody());
  assert.is((await server.request('POST', '/chatapp/authorize', { key: user.key, json })).status, 200);
  assert.is((await server.request('POST', '/chatapp/login', { key: server.owner.key, json })).status, 200);
  // The same holds for a provider that accepts the token for the profile but refuses it for the audience.
  discord.aboutToken = { status: 401, body: { message: '401: Unauthorized' } };
  assert.is((await server.request('POST', '/chatapp/authorize', { key: user.key, json })).status, 200);
  const unknown = { accessToken: 'nobody' };
  assert.is(
    (await server.request('POST', '/chatapp/authorize', { key: user.key, json: unknown })).status,
    400,
  );
  discord.aboutToken = { status: 503, body: {} };
  assert.is((await server.request('POST', '/chatapp/authorize', { key: user.key, json })).status, 502);
});

issuer.run();
