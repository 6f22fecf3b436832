import { createHash, randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChatApp } from '../../../routers/base/ports/chat.js';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { openDiscord } from '../../../server/drivers/chat/discord.js';
import { readConfig } from '../../../server/runtime/config/config.js';
import { packageVersion } from '../../../server/shared/version.js';
import { DISCORD_CLIENT, type DiscordStandin, startDiscord } from '../../standins/discord.js';
import type { Mood } from '../../standins/http.js';

const discord = suite<{ standin: DiscordStandin; chat: ChatApp }>('Discord');
const redirectUri = 'https://holdall.example/v1/chatapp/callback';
const now = Date.UTC(2026, 4, 6);

function open(url: string, secret = DISCORD_CLIENT.secret): ChatApp {
  const { chatapp } = readConfig({
    CHATAPP_CLIENT_ID: DISCORD_CLIENT.id,
    CHATAPP_CLIENT_SECRET: secret,
    CHATAPP_API_URL: `${url}/api`,
  });
  const chat = openDiscord(chatapp, () => now);
  if (chat === null) throw new Error('must be configured');
  return chat;
}

function pkce() {
  const codeVerifier = randomBytes(32).toString('base64url');
  return { codeVerifier, codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url') };
}

/** The person follows the link; the provider sends them back. */
async function consent(chat: ChatApp, codeChallenge: string, state = 'state'): Promise<URL> {
  const page = await fetch(chat.authorizeUrl({ state, codeChallenge, redirectUri }), { redirect: 'manual' });
  return new URL(page.headers.get('location') ?? '');
}

async function throws(
  kind: typeof ProviderDown | typeof ProviderRefused,
  call: () => Promise<unknown>,
  about?: string,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    assert.instance(error, kind, about);
    assert.not.match(String((error as Error).stack), /secret-canary/);
    return;
  }
  assert.unreachable(`must fail: ${about}`);
}

discord.before.each(async (context) => {
  context.standin = await startDiscord();
  context.chat = open(context.standin.url);
});
discord.after.each(({ standin }) => standin.close());

discord('without a client id there is no chat application', () => {
  assert.is(openDiscord(readConfig({}).chatapp), null);
});

discord(
  'complete flow: consent with state and challenge, code, tokens, person',
  async ({ standin, chat }) => {
    standin.person = {
      id: '175928847299117063',
      username: 'ada',
      global_name: 'Ada L.',
      avatar: 'a_1269e74af4df7417b13759eae50c83dc',
      email: 'ada@example.org',
      verified: true,
    };
    const { codeVerifier, codeChallenge } = pkce();
    const back = await consent(chat, codeChallenge, 'st&te');
    assert.is(back.searchParams.get('state'), 'st&te');
    assert.is(back.origin + back.pathname, redirectUri);
    const page = standin.requests[0]?.url;
    assert.is(page?.pathname, '/oauth2/authorize');
    assert.is(page?.searchParams.get('client_id'), DISCORD_CLIENT.id);
    assert.is(page?.searchParams.get('response_type'), 'code');
    assert.is(page?.searchParams.get('code_challenge_method'), 'S256');

    const tokens = await chat.exchange({
      code: back.searchParams.get('code') ?? '',
      codeVerifier,
      redirectUri,
    });
    assert.is(tokens.expiresAt, now + 604_800_000);
    assert.is(standin.requests.at(-1)?.headers['user-agent'], `Holdall/${await packageVersion()}`);
    assert.equal(await chat.whoAmI(tokens.accessToken), {
      id: '175928847299117063',
      username: 'ada',
      globalName: 'Ada L.',
      avatar: 'https://cdn.discordapp.com/avatars/175928847299117063/a_1269e74af4df7417b13759eae50c83dc.png',
      email: 'ada@example.org',
    });
  },
);

discord('a code works once, and only with its verifier and redirect address', async ({ chat }) => {
  const { codeVerifier, codeChallenge } = pkce();
  const code = async () => (await consent(chat, codeChallenge)).searchParams.get('code') ?? '';
  const wrongVerifier = { code: await code(), codeVerifier: pkce().codeVerifier, redirectUri };
  await throws(ProviderRefused, () => chat.exchange(wrongVerifier));
  const wrongAddress = { code: await code(), codeVerifier, redirectUri: `${redirectUri}/x` };
  await throws(ProviderRefused, () => chat.exchange(wrongAddress));
  const right = { code: await code(), codeVerifier, redirectUri };
  await chat.exchange(right);
  await throws(ProviderRefused, () => chat.exchange(right));
});

discord('tokens can be refreshed and revoked at the provider', async ({ standin, chat }) => {
  const { codeVerifier, codeChallenge } = pkce();
  const code = (await consent(chat, codeChallenge)).searchParams.get('code') ?? '';
  const first = await chat.exchange({ code, codeVerifier, redirectUri });
  const second = await chat.refresh(first.refreshToken ?? '');
  assert.is.not(second.accessToken, first.accessToken);
  await throws(ProviderRefused, () => chat.refresh(first.refreshToken ?? ''));
  await chat.revoke(second.accessToken);
  await chat.revoke(second.accessToken);
  assert.not.ok(standin.accessTokens.has(second.accessToken));
  await throws(ProviderRefused, () => chat.whoAmI(second.accessToken));
});

discord(
  'a person without a picture has the default one; an unverified address is not reported',
  async ({ standin, chat }) => {
    standin.accessTokens.set('t', {
      id: '175928847299117063',
      username: 'b',
      email: 'b@example.org',
      verified: false,
    });
    const person = await chat.whoAmI('t');
    assert.match(person.avatar, /^https:\/\/cdn\.discordapp\.com\/embed\/avatars\/[0-5]\.png$/);
    assert.is(person.globalName, null);
    assert.is(person.email, null);
  },
);

discord('a malformed token is refused without a request', async ({ standin, chat }) => {
  for (const token of ['', 'a b', 'a\r\nX: y', 'ä', 'x'.repeat(3000)]) {
    await throws(ProviderRefused, () => chat.whoAmI(token), token);
    await throws(ProviderRefused, () => chat.requireOurs(token), token);
  }
  assert.is(standin.requests.length, 0);
});

discord('a token of another application, or an unknown one, is refused', async ({ standin, chat }) => {
  standin.accessTokens.set('t', { id: '1', username: 'b' });
  await chat.requireOurs('t');
  standin.issuedElsewhere.set('t', '1234');
  await throws(ProviderRefused, () => chat.requireOurs('t'));
  await throws(ProviderRefused, () => chat.requireOurs('unknown'));
});

discord(
  'a provider that does not report the audience of a token is trusted; one that is down is not',
  async (world) => {
    const { standin, chat } = world;
    for (const status of [404, 405, 501]) {
      standin.aboutToken = { status, body: { message: 'no such path' } };
      await chat.requireOurs('t');
    }
    for (const body of [{}, [], null, 'ok', { application: null }, { application: { name: 'a' } }]) {
      standin.aboutToken = { status: 200, body };
      await chat.requireOurs('t');
    }
    for (const status of [429, 500, 502, 503]) {
      standin.aboutToken = { status, body: {} };
      await throws(ProviderDown, () => chat.requireOurs('t'), String(status));
    }
    for (const status of [400, 401, 403]) {
      standin.aboutToken = { status, body: {} };
      await throws(ProviderRefused, () => chat.requireOurs('t'), String(status));
    }
    await throws(ProviderDown, () => open('http://127.0.0.1:1').requireOurs('t'));
  },
);

discord(
  'a provider that is down, lies, redirects or floods causes ProviderDown in every call',
  async ({ standin, chat }) => {
    for (const mood of ['down', 'lie', 'redirect', 'flood'] satisfies Mood[]) {
      standin.mood = mood;
      await throws(ProviderDown, () => chat.exchange({ code: 'c', codeVerifier: 'v', redirectUri }), mood);
      await throws(ProviderDown, () => chat.refresh('r'), mood);
      await throws(ProviderDown, () => chat.whoAmI('t'), mood);
      if (mood === 'lie') continue;
      await throws(ProviderDown, () => chat.revoke('t'), mood);
      await throws(ProviderDown, () => chat.requireOurs('t'), mood);
    }
    await throws(ProviderDown, () => open('http://127.0.0.1:1').whoAmI('t'));
  },
);

discord('partly valid answers cause ProviderDown too', async ({ standin, chat }) => {
  for (const person of [
    { id: '../../admin', username: 'ada' },
    { id: '1', username: '' },
    { id: '1', username: 'a\r\nb' },
    { id: '1', username: 'ada', avatar: '../x' },
    { id: '', username: 'ada' },
  ]) {
    standin.accessTokens.set('t', person);
    await throws(ProviderDown, () => chat.whoAmI('t'), JSON.stringify(person));
  }
});

discord(
  "client credentials that the provider rejects are reported as our error, not the person's",
  async ({ standin }) => {
    const chat = open(standin.url, 'wrong');
    await throws(ProviderDown, () => chat.exchange({ code: 'c', codeVerifier: 'v', redirectUri }));
  },
);

discord.run();
