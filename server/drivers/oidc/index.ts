import type { Configuration, ServerMetadata } from 'openid-client';
import type { OidcProvider } from '../../../routers/base/ports/oidc.js';
import { ProviderDown, ProviderRefused } from '../../../routers/base/ports/provider.js';
import { exchange } from '../outbound/exchange.js';
import { personOf } from './claims.js';
import type { OidcOptions } from './options.js';

/** For everything that one step of a sign-in asks of the provider. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 1024 * 1024;
/** How long what a provider says about itself is taken as known. Its keys are fetched for every sign-in. */
const METADATA_MS = 60 * 60 * 1000;
/** How much the provider's clock may differ from ours, in seconds. */
const CLOCK_TOLERANCE = 5 * 60;

type Library = typeof import('openid-client');

/** Opens the providers. Nothing is asked of one before somebody signs in with it. */
export const openOidc = (options: readonly OidcOptions[]): readonly OidcProvider[] =>
  options.map(openProvider);

function openProvider(options: OidcOptions): OidcProvider {
  const { name, label, issuer, autoRegister, roleMap } = options;
  const insecure = new URL(issuer).protocol === 'http:';
  let known: { readonly metadata: ServerMetadata; readonly until: number } | null = null;

  /** Does a step with a configuration of its own, so that no old keys are trusted, within the time limit. */
  const step = async <T>(work: (config: Configuration, library: Library) => Promise<T>): Promise<T> => {
    const library = await import('openid-client');
    const fetch = fetchWithin(AbortSignal.timeout(TIMEOUT_MS));
    try {
      const metadata =
        known !== null && known.until > performance.now() ? known.metadata : await discover(library, fetch);
      known ??= { metadata, until: performance.now() + METADATA_MS };
      return await work(configOf(library, metadata, fetch), library);
    } catch (error) {
      const failure = asProviderError(library, label, error);
      // Perhaps what is known of it is no longer true.
      if (failure instanceof ProviderDown) known = null;
      throw failure;
    }
  };

  const discover = async (library: Library, fetch: Fetch): Promise<ServerMetadata> => {
    known = null;
    const config = await library.discovery(new URL(issuer), options.clientId, undefined, undefined, {
      [library.customFetch]: fetch,
      timeout: TIMEOUT_MS / 1000,
      ...(insecure ? { execute: [library.allowInsecureRequests] } : {}),
    });
    return config.serverMetadata();
  };

  const configOf = (library: Library, metadata: ServerMetadata, fetch: Fetch): Configuration => {
    const { clientId, clientSecret } = options;
    const config = new library.Configuration(
      metadata,
      clientId,
      { [library.clockTolerance]: CLOCK_TOLERANCE },
      clientSecret === null
        ? library.None()
        : metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
          ? library.ClientSecretPost(clientSecret)
          : library.ClientSecretBasic(clientSecret),
    );
    config[library.customFetch] = fetch;
    config.timeout = TIMEOUT_MS / 1000;
    if (insecure) library.allowInsecureRequests(config);
    // The signature is checked although the token comes over a connection of ours.
    library.enableNonRepudiationChecks(config);
    return config;
  };

  return {
    name,
    label,
    autoRegister,
    givesRoles: new Set(roleMap.values()),
    authorizeUrl: ({ state, nonce, codeChallenge, redirectUri }) =>
      step(async (config, { buildAuthorizationUrl }) => {
        const url = buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: options.scopes,
          state,
          nonce,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        });
        return url.href;
      }),
    exchange: ({ query, state, nonce, codeVerifier, redirectUri }) =>
      step(async (config, { authorizationCodeGrant, fetchUserInfo }) => {
        const back = new URL(redirectUri);
        back.search = query;
        const tokens = await authorizationCodeGrant(config, back, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (claims === undefined) throw new ProviderDown(label, 'sent no ID token');
        // The library checks only the end and the beginning of its validity.
        if (isAhead(claims.iat) || isAhead(claims.auth_time))
          throw new ProviderDown(label, 'sent an ID token from the future');
        const more =
          config.serverMetadata().userinfo_endpoint === undefined
            ? {}
            : await fetchUserInfo(config, tokens.access_token, claims.sub);
        return personOf({ ...more, ...claims }, options, tokens.id_token ?? null);
      }),
    logoutUrl: ({ idToken, returnTo }) =>
      step(async (config, { buildEndSessionUrl }) => {
        if (config.serverMetadata().end_session_endpoint === undefined) return null;
        const url = buildEndSessionUrl(config, {
          post_logout_redirect_uri: returnTo,
          ...(idToken === null ? {} : { id_token_hint: idToken }),
        });
        return url.href;
      }),
  };
}

/** Whether a time in a token, in seconds, is still to come, whatever the clocks. */
const isAhead = (seconds: number | undefined): boolean =>
  seconds !== undefined && seconds > Date.now() / 1000 + CLOCK_TOLERANCE;

type Fetch = import('openid-client').CustomFetch;

/** A `fetch` whose answers have a maximum size, follow no redirects and arrive before the signal. */
const fetchWithin =
  (signal: AbortSignal): Fetch =>
  async (url, { method, headers, body }) => {
    const answer = await exchange(new URL(url), {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    const received = new Headers();
    for (const [field, value] of Object.entries(answer.headers))
      if (value !== undefined) received.set(field, String(value));
    const empty = [204, 205, 304].includes(answer.status);
    return new Response(empty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: received,
    });
  };

/** The errors of the token endpoint that are about our client, not about the sign-in. */
const OUR_FAULT: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client', 'invalid_request']);

/** What the library or the connection throws, in the words of the port. */
function asProviderError(library: Library, label: string, error: unknown): ProviderDown | ProviderRefused {
  if (error instanceof ProviderDown || error instanceof ProviderRefused) return error;
  if (error instanceof library.AuthorizationResponseError)
    return new ProviderRefused(label, 400, error.error);
  if (error instanceof library.ResponseBodyError && error.status < 500 && !OUR_FAULT.has(error.error))
    return new ProviderRefused(label, error.status, error.error);
  return new ProviderDown(label, `cannot be used: ${reasonsIn(error).join(': ')}`);
}

/** The messages of an error and of its causes, which never contain a token. */
function reasonsIn(error: unknown): string[] {
  const reasons: string[] = [];
  for (let each = error; each instanceof Error && reasons.length < 4; each = each.cause)
    reasons.push(each.message);
  return reasons;
}
