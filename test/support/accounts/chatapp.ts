import { randomBytes } from 'node:crypto';
import type { Answer, TestServer } from '../../harness.js';
import { DISCORD_CLIENT, type DiscordPerson, type DiscordStandin } from '../../standins/discord.js';

/** The configuration of a server with this stand-in as its chat application. */
export const chatEnv = (discord: DiscordStandin): Record<string, string> => ({
  CHATAPP_CLIENT_ID: DISCORD_CLIENT.id,
  CHATAPP_CLIENT_SECRET: DISCORD_CLIENT.secret,
  CHATAPP_API_URL: `${discord.url}/api`,
});

/** A unique person at the chat application. */
export const somebody = (): DiscordPerson => ({
  id: String(randomBytes(6).readUIntBE(0, 6)),
  username: `ada-${randomBytes(3).toString('hex')}`,
  global_name: 'Ada L.',
  email: 'ada@example.org',
  verified: true,
});

/** Tokens of the person, as one of our clients would have received them. */
export function tokensFor(discord: DiscordStandin, person: DiscordPerson) {
  const accessToken = `access-canary-${randomBytes(8).toString('hex')}`;
  const refreshToken = `refresh-canary-${randomBytes(8).toString('hex')}`;
  discord.accessTokens.set(accessToken, person);
  discord.refreshTokens.set(refreshToken, person);
  return { accessToken, refreshToken, expiresAt: 604_800 };
}

/** The value of a cookie that an answer sets; null if it sets none, "" if it removes it. */
export function cookieOf(answer: Answer, name: string): string | null {
  const found = answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
  return found === undefined ? null : (found.split(';', 1)[0] ?? '').slice(name.length + 1);
}

/** The state of a browser after the person gave consent: the redirect parameters, and its cookie. */
export interface Journey {
  readonly cookie: string;
  readonly code: string;
  readonly state: string;
  /** Path and query of the callback, below `/v1`. */
  readonly callback: string;
}

/** Goes to the provider and back, up to the callback, which is left to the test. `by`: a key, or the cookie of a session. */
export async function journey(
  server: TestServer,
  intent: 'login' | 'link',
  by?: string,
  prefix = '/chatapp',
): Promise<Journey> {
  const start = await server.request('GET', `${prefix}/start?intent=${intent}`, {
    ...(by?.includes('=') ? { headers: { cookie: by } } : { key: by }),
  });
  const consent = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
  const back = new URL(consent.headers.get('location') ?? '');
  return {
    cookie: `oauth_state=${cookieOf(start, 'oauth_state')}`,
    code: back.searchParams.get('code') ?? '',
    state: back.searchParams.get('state') ?? '',
    callback: `${back.pathname.replace(/^\/v1/, '')}${back.search}`,
  };
}
