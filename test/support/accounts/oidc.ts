import * as assert from 'uvu/assert';
import type { Answer, TestServer } from '../../harness.js';
import { OIDC_CLIENT, type OidcStandin } from '../../standins/oidc.js';
import { cookieOf, cookies } from './accounts.js';

/** Variables for a provider `house` at an issuer. */
export const oidcEnv = (issuer: string, more: Record<string, string> = {}): Record<string, string> => ({
  OIDC_PROVIDERS: 'house',
  OIDC_HOUSE_ISSUER: issuer,
  OIDC_HOUSE_CLIENT_ID: OIDC_CLIENT.id,
  OIDC_HOUSE_CLIENT_SECRET: OIDC_CLIENT.secret,
  OIDC_HOUSE_LABEL: 'The House',
  ...more,
});

/** A flow that was started: the provider's address, and the cookies that the browser keeps. */
export interface Started {
  readonly location: string;
  readonly cookie: string;
}

/** Starts a flow, as a session if a token is given. */
export async function startFlow(
  server: TestServer,
  query = '',
  session: string | null = null,
): Promise<Started> {
  const answer = await server.request('GET', `/auth/oidc/house/start${query}`, {
    headers: cookies({ session_token: session }),
  });
  assert.is(answer.status, 302, answer.text);
  const kept = session === null ? '' : `; session_token=${session}`;
  return {
    location: answer.headers.get('location') ?? '',
    cookie: `${cookieOf(answer, 'oidc_state') ?? ''}${kept}`,
  };
}

/** Opens a callback address with the cookies of its flow. */
export const comeBack = (server: TestServer, callback: string, cookie: string): Promise<Answer> => {
  const { pathname, search } = new URL(callback);
  return server.request('GET', `${pathname.replace(/^\/v1/, '')}${search}`, {
    headers: { cookie: `oidc_state=${cookie}` },
  });
};

/** A whole flow at the stand-in. */
export async function journey(
  server: TestServer,
  oidc: OidcStandin,
  query = '',
  session: string | null = null,
): Promise<Answer> {
  const { location, cookie } = await startFlow(server, query, session);
  return comeBack(server, oidc.consent(location), cookie);
}
