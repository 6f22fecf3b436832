import { z } from 'zod';
import type { ChatApp, ChatAppTokens } from '../../../routers/base/ports/chat.js';
import { isProviderError, ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { askProvider, askProviderFor } from '../outbound/provider.js';
import type { ChatAppOptions } from './options.js';

const PROVIDER = 'Discord';
const SCOPE = 'identify email';
const PICTURES = 'https://cdn.discordapp.com';

/** Values used in URLs, headers and pages must be printable ASCII. */
const word = z.string().regex(/^[\x21-\x7e]{1,2048}$/);
const label = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^\P{Cc}*$/u);
const tokens = z.object({
  access_token: word,
  refresh_token: word.nullish(),
  expires_in: z
    .number()
    .positive()
    .max(10 * 365 * 86_400),
});
const person = z.object({
  id: z.string().regex(/^[\w-]{1,64}$/),
  username: label(100).min(1),
  global_name: label(100).nullish(),
  avatar: z
    .string()
    .regex(/^\w{1,64}$/)
    .nullish(),
  email: label(254).nullish(),
  verified: z.boolean().nullish(),
});

const authorization = z.object({ application: z.object({ id: z.string() }) });

/** The statuses with which a provider answers an unknown path. */
const UNKNOWN_PATH: ReadonlySet<number | null> = new Set([404, 405, 501]);

/**
 * Discord's OAuth2 with PKCE; null if no client is configured. The consent page is on the origin of
 * `CHATAPP_API_URL`, all other calls are below its path.
 */
export function openDiscord(config: ChatAppOptions, now: () => number = Date.now): ChatApp | null {
  const { clientId, clientSecret, apiUrl } = config;
  if (clientId === null || clientSecret === null) return null;
  const form = (path: string, fields: Record<string, string>) => ({
    provider: PROVIDER,
    url: new URL(`${apiUrl}${path}`),
    method: 'POST' as const,
    headers: {
      authorization: basic(clientId, clientSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(fields).toString(),
  });

  /** Sends a request with a user's token. */
  const askWith = async <T>(accessToken: string, path: string, shape: z.ZodType<T>): Promise<T> => {
    if (!word.safeParse(accessToken).success) throw new ProviderRefused(PROVIDER, 401, 'no such token');
    return askProviderFor(shape, {
      provider: PROVIDER,
      url: new URL(`${apiUrl}${path}`),
      method: 'GET',
      headers: { authorization: `Bearer ${accessToken}` },
    });
  };

  const askTokens = async (fields: Record<string, string>): Promise<ChatAppTokens> => {
    const answer = await ourFault(() => askProviderFor(tokens, form('/oauth2/token', fields)));
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token ?? null,
      expiresAt: now() + answer.expires_in * 1000,
    };
  };

  /** What the provider says about a token; null if it does not tell which client a token was issued to. */
  const issuer = async (accessToken: string): Promise<unknown> => {
    try {
      return await askWith(accessToken, '/oauth2/@me', z.unknown());
    } catch (error) {
      if (isProviderError(error) && UNKNOWN_PATH.has(error.status)) return null;
      if (!(error instanceof ProviderRefused) || error.status !== 401) throw error;
      // Discord accepts a token at both paths or at neither.
      await askWith(accessToken, '/users/@me', person);
      return null;
    }
  };

  return {
    label: PROVIDER,
    authorizeUrl({ state, codeChallenge, redirectUri }) {
      const url = new URL('/oauth2/authorize', apiUrl);
      url.search = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: SCOPE,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      }).toString();
      return url.href;
    },
    exchange: ({ code, codeVerifier, redirectUri }) =>
      askTokens({
        grant_type: 'authorization_code',
        code,
        code_verifier: codeVerifier,
        redirect_uri: redirectUri,
      }),
    refresh: (refreshToken) => askTokens({ grant_type: 'refresh_token', refresh_token: refreshToken }),
    async revoke(token) {
      await ourFault(() => askProvider(form('/oauth2/token/revoke', { token })));
    },
    async whoAmI(accessToken) {
      const found = await askWith(accessToken, '/users/@me', person);
      return {
        id: found.id,
        username: found.username,
        globalName: found.global_name ?? null,
        avatar: picture(found.id, found.avatar ?? null),
        email: found.verified === false ? null : (found.email ?? null),
      };
    },
    async requireOurs(accessToken) {
      const issued = authorization.safeParse(await issuer(accessToken));
      if (issued.success && issued.data.application.id !== clientId) {
        throw new ProviderRefused(PROVIDER, 401, 'the token was issued to another application');
      }
    },
  };
}

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const pair = [clientId, clientSecret].map((part) => new URLSearchParams([['', part]]).toString().slice(1));
  return `Basic ${Buffer.from(pair.join(':')).toString('base64')}`;
}

/** At the token endpoint, 401 is about our client and not about the user's code: the service is not usable. */
async function ourFault<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderRefused && error.status === 401) {
      throw new ProviderDown(PROVIDER, `does not accept our client: ${error.detail}`);
    }
    throw error;
  }
}

/** The user's picture, or Discord's default picture. */
function picture(id: string, avatar: string | null): string {
  if (avatar !== null) return `${PICTURES}/avatars/${id}/${avatar}.png`;
  const index = /^\d+$/.test(id) ? Number((BigInt(id) >> 22n) % 6n) : 0;
  return `${PICTURES}/embed/avatars/${index}.png`;
}
