import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { type Mood, misbehave, reply, type Standin, serve } from './http.js';

/** The claims of the next ID token, over those that a well-behaved provider sends. */
type Claims = Readonly<Record<string, unknown>>;

/** A provider of OpenID Connect that can be told to lie. Its consent page is never shown: `consent` redirects. */
export interface OidcStandin extends Standin {
  mood: Mood;
  /** Overrides of the next ID tokens. */
  claims: Claims;
  /** Signs with no algorithm at all. */
  unsigned: boolean;
  /** Signs with a key that it does not publish. */
  strange: boolean;
  /** What its discovery says it is; null for the truth. */
  issuer: string | null;
  /** From now on another key signs, under another name. */
  rotate(): void;
  /** The next token is signed with a key that is replaced at once, before anybody asks for the keys. */
  rotateAfterToken: boolean;
  /** The callback address to which consent at this authorization address leads. */
  consent(authorizationUrl: string): string;
}

interface Grant {
  readonly challenge: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

export const OIDC_CLIENT = { id: 'holdall', secret: 'oidc-secret-canary' };

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const newKey = () => ({
  kid: randomBytes(4).toString('hex'),
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }),
});

/** Starts the stand-in. */
export async function startOidc(): Promise<OidcStandin> {
  const grants = new Map<string, Grant>();
  let key = newKey();
  const standin = await serve((request, response) => {
    if (misbehave(oidc.mood, response)) return;
    const { pathname } = request.url;
    if (pathname === '/.well-known/openid-configuration')
      return reply(response, 200, {
        issuer: oidc.issuer ?? oidc.url,
        authorization_endpoint: `${oidc.url}/authorize`,
        token_endpoint: `${oidc.url}/token`,
        jwks_uri: `${oidc.url}/jwks`,
        end_session_endpoint: `${oidc.url}/end`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_basic'],
      });
    if (pathname === '/jwks')
      return reply(response, 200, {
        keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256' }],
      });
    if (pathname !== '/token') return reply(response, 404, { error: 'not_found' });
    const form = new URLSearchParams(request.body.toString());
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (
      grant === undefined ||
      grant.challenge !== challenge ||
      grant.redirectUri !== form.get('redirect_uri')
    )
      return reply(response, 400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: oidc.url,
      aud: OIDC_CLIENT.id,
      sub: 'subject-1',
      iat: now,
      exp: now + 300,
      nonce: grant.nonce,
      ...oidc.claims,
    };
    const signing = oidc.strange ? newKey() : key;
    if (oidc.rotateAfterToken) oidc.rotate();
    oidc.rotateAfterToken = false;
    return reply(response, 200, {
      access_token: 'access-canary',
      token_type: 'Bearer',
      expires_in: 300,
      id_token: tokenOf(claims, signing, oidc.unsigned),
    });
  });
  const oidc: OidcStandin = {
    ...standin,
    mood: 'well',
    claims: {},
    unsigned: false,
    strange: false,
    rotateAfterToken: false,
    issuer: null,
    rotate: () => {
      key = newKey();
    },
    consent(authorizationUrl) {
      const { searchParams: asked } = new URL(authorizationUrl);
      const code = randomBytes(8).toString('hex');
      const redirectUri = asked.get('redirect_uri') ?? '';
      grants.set(code, {
        challenge: asked.get('code_challenge') ?? '',
        nonce: asked.get('nonce') ?? '',
        redirectUri,
      });
      return `${redirectUri}?${new URLSearchParams({ code, state: asked.get('state') ?? '' })}`;
    },
  };
  return oidc;
}

function tokenOf(
  claims: Claims,
  { kid, privateKey }: { kid: string; privateKey: KeyObject },
  unsigned: boolean,
) {
  const head = encode(unsigned ? { alg: 'none' } : { alg: 'RS256', kid });
  const body = `${head}.${encode(claims)}`;
  const signature = unsigned ? '' : sign('sha256', Buffer.from(body), privateKey).toString('base64url');
  return `${body}.${signature}`;
}
