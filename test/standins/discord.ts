import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Mood, misbehave, type Received, reply, type Standin, serve } from './http.js';

/** A person at the chat application, as returned by `/users/@me`. */
export interface DiscordPerson {
  id: string;
  username: string;
  global_name?: string | null;
  avatar?: string | null;
  email?: string | null;
  verified?: boolean;
}

/** Discord's OAuth2, `/users/@me` and `/oauth2/@me`; its API is at `<url>/api`. */
export interface DiscordStandin extends Standin {
  mood: Mood;
  /** The person who gives consent next; the consent page gives it at once and redirects back. */
  person: DiscordPerson;
  /** The next consent is refused. */
  unwilling: boolean;
  /** Valid access tokens, with their person. */
  readonly accessTokens: Map<string, DiscordPerson>;
  /** Access tokens issued to another application than `DISCORD_CLIENT`, with the id of that application. */
  readonly issuedElsewhere: Map<string, string>;
  /** The answer of `/oauth2/@me`, instead of the real one. */
  aboutToken: { readonly status: number; readonly body: unknown } | null;
  /** Valid refresh tokens, with their person. */
  readonly refreshTokens: Map<string, DiscordPerson>;
  /** Issues a code like the consent page; `challenge` null omits PKCE. */
  consent(redirectUri: string, challenge: string | null): string;
}

export const DISCORD_CLIENT = { id: 'client id', secret: 'secret-canary:&' };

/** Starts the stand-in; it knows `DISCORD_CLIENT`. */
export async function startDiscord(): Promise<DiscordStandin> {
  const codes = new Map<string, { person: DiscordPerson; redirectUri: string; challenge: string | null }>();
  const standin = await serve((request, response) => {
    if (misbehave(discord.mood, response)) return;
    const { pathname, searchParams } = request.url;
    if (pathname === '/oauth2/authorize') {
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      if (discord.unwilling) back.searchParams.set('error', 'access_denied');
      else back.searchParams.set('code', discord.consent(back.href, searchParams.get('code_challenge')));
      back.searchParams.set('state', searchParams.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (pathname === '/api/users/@me') return whoAmI(discord, request, response);
    if (pathname === '/api/oauth2/@me') return whoseToken(discord, request, response);
    if (!pathname.startsWith('/api/oauth2/token'))
      return reply(response, 404, { message: '404: Not Found', code: 0 });
    if (!knowsClient(request)) return reply(response, 401, { error: 'invalid_client' });
    const form = new URLSearchParams(request.body.toString('utf8'));
    if (pathname.endsWith('/revoke')) {
      endAuthorisation(form.get('token') ?? '');
      return reply(response, 200, {});
    }
    const person = form.get('grant_type') === 'refresh_token' ? byRefresh(form) : byCode(form);
    if (person === null) {
      return reply(response, 400, {
        error: 'invalid_grant',
        error_description: 'Invalid "code" in request.',
      });
    }
    return issue(discord, person, response);
  });

  /** Revoking one token revokes all tokens of the person. */
  function endAuthorisation(token: string): void {
    const person = discord.accessTokens.get(token) ?? discord.refreshTokens.get(token);
    for (const tokens of [discord.accessTokens, discord.refreshTokens])
      for (const [known, { id }] of tokens) if (id === person?.id) tokens.delete(known);
  }

  function byRefresh(form: URLSearchParams): DiscordPerson | null {
    const token = form.get('refresh_token') ?? '';
    const person = discord.refreshTokens.get(token) ?? null;
    discord.refreshTokens.delete(token);
    return person;
  }

  function byCode(form: URLSearchParams): DiscordPerson | null {
    const grant = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (grant === undefined || grant.redirectUri !== form.get('redirect_uri')) return null;
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    return grant.challenge === null || grant.challenge === challenge ? grant.person : null;
  }

  const discord: DiscordStandin = {
    ...standin,
    mood: 'well',
    person: { id: '175928847299117063', username: 'ada' },
    unwilling: false,
    accessTokens: new Map(),
    issuedElsewhere: new Map(),
    aboutToken: null,
    refreshTokens: new Map(),
    consent(redirectUri, challenge) {
      const code = randomBytes(15).toString('base64url');
      codes.set(code, { person: discord.person, redirectUri, challenge });
      return code;
    },
  };
  return discord;
}

function issue(discord: DiscordStandin, person: DiscordPerson, response: ServerResponse): void {
  const access = randomBytes(15).toString('base64url');
  const refresh = randomBytes(15).toString('base64url');
  discord.accessTokens.set(access, person);
  discord.refreshTokens.set(refresh, person);
  reply(response, 200, {
    access_token: access,
    token_type: 'Bearer',
    expires_in: 604_800,
    refresh_token: refresh,
    scope: 'identify email',
  });
}

/** The token in a request, and its person. */
function shown(discord: DiscordStandin, request: Received) {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return { token, person: discord.accessTokens.get(token) };
}

function whoAmI(discord: DiscordStandin, request: Received, response: ServerResponse): void {
  const { person } = shown(discord, request);
  if (person === undefined) reply(response, 401, { message: '401: Unauthorized', code: 0 });
  else reply(response, 200, { discriminator: '0', locale: 'en-US', ...person });
}

function whoseToken(discord: DiscordStandin, request: Received, response: ServerResponse): void {
  const { token, person } = shown(discord, request);
  const id = discord.issuedElsewhere.get(token) ?? DISCORD_CLIENT.id;
  if (discord.aboutToken !== null) reply(response, discord.aboutToken.status, discord.aboutToken.body);
  else if (person === undefined) reply(response, 401, { message: '401: Unauthorized', code: 0 });
  else reply(response, 200, { application: { id, name: 'Holdall' }, scopes: ['identify'], user: person });
}

function knowsClient(request: Received): boolean {
  const [, credentials = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? [];
  const [id, secret] = Buffer.from(credentials, 'base64')
    .toString('utf8')
    .split(':')
    .map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
  return id === DISCORD_CLIENT.id && secret === DISCORD_CLIENT.secret;
}
