import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type User, userById } from '../../../db/account/account.js';
import { insertOidcFlow, takeOidcFlow } from '../../../db/account/oidc-flow.js';
import { fail } from '../../base/errors.js';
import type { OidcPerson, OidcProvider } from '../../base/ports/oidc.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { Context, Services } from '../../core/context.js';
import { requireOutgoing } from '../../core/outgoing.js';
import { askOnBehalf } from '../../core/provider.js';
import { hashSecret, newSecret } from '../../core/secrets.js';

/** How long a sign-in at the provider may take. */
const FLOW_SECONDS = 10 * 60;

/** The provider of this name; 404 if there is none. */
export function providerOf(app: Services, name: string): OidcProvider {
  requireOutgoing(app);
  return app.oidc.find((provider) => provider.name === name.toLowerCase()) ?? fail('OIDC_ABSENT');
}

const redirectUri = (app: Services, { name }: OidcProvider): string =>
  `${app.settings.baseUrl}/auth/oidc/${name}/callback`;

/** What a flow keeps until the browser is back. */
const secrets = z.object({
  verifier: z.string(),
  nonce: z.string(),
  next: z.string().nullable(),
  invite: z.string().nullable(),
});

/** What a flow is for. */
interface FlowAsked {
  /** The account to link; null for a sign-in. */
  readonly userId: number | null;
  /** The path to continue on. */
  readonly next: string | null;
  /** For a new account, where the provider needs one. */
  readonly invite: string | null;
}

/** Starts a flow at a provider: stores it, sets a cookie and returns the URL to redirect to. */
export async function beginFlow(ctx: Context, provider: OidcProvider, asked: FlowAsked): Promise<string> {
  const { app } = ctx;
  const [state, nonce, cookie, verifier] = [newSecret(), newSecret(), newSecret(), newSecret()];
  // Nothing is stored for a provider that is away.
  const location = await askOnBehalf(app, () =>
    provider.authorizeUrl({
      state,
      nonce,
      codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
      redirectUri: redirectUri(app, provider),
    }),
  );
  const at = Date.now();
  const { userId, next, invite } = asked;
  await app.db.write(async (trx) => {
    if (userId !== null) await lockAccount(app, trx, userId);
    await insertOidcFlow(
      trx,
      {
        stateHash: hashSecret(state),
        cookieHash: hashSecret(cookie),
        provider: provider.name,
        userId,
        secretCipher: app.secrets.encrypt(JSON.stringify({ verifier, nonce, next, invite })),
        expiresAt: at + FLOW_SECONDS * 1000,
      },
      at,
    );
  });
  ctx.outgoingCookies.push({ name: 'oidc_state', value: cookie, maxAgeSeconds: FLOW_SECONDS });
  return location;
}

/** A flow whose browser is back. */
export interface Flow extends Omit<FlowAsked, 'userId'> {
  /** The account to link, as it was when the browser came back; null for a sign-in. */
  readonly holder: User | null;
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

/** Takes the flow of this browser, once; 400 if it is unknown, expired, used or another browser's. */
export async function takeFlow(ctx: Context, provider: OidcProvider, state: string): Promise<Flow> {
  const { app } = ctx;
  const cookie = ctx.cookie('oidc_state');
  if (cookie === null) fail('OAUTH_STATE');
  const taken = await app.db.write(async (trx) => {
    const flow = await takeOidcFlow(trx, hashSecret(state), hashSecret(cookie), Date.now());
    if (flow === null || flow.provider !== provider.name) return null;
    if (flow.userId === null) return { ...flow, holder: null };
    // A password change waits for this flow to be taken, so this is the account with which it began.
    const holder = await userById(trx, flow.userId);
    return holder && { ...flow, holder };
  });
  if (taken === null) fail('OAUTH_STATE');
  ctx.outgoingCookies.push({ name: 'oidc_state', value: null, maxAgeSeconds: 0 });
  const kept = secrets.parse(JSON.parse(app.secrets.decrypt(taken.secretCipher)));
  return { holder: taken.holder, state, ...kept };
}

/** Who came back from the provider with this query. */
export const personBehind = (
  app: Services,
  provider: OidcProvider,
  flow: Flow,
  query: string,
): Promise<OidcPerson> =>
  askOnBehalf(app, () =>
    provider.exchange({
      query,
      state: flow.state,
      nonce: flow.nonce,
      codeVerifier: flow.verifier,
      redirectUri: redirectUri(app, provider),
    }),
  );
