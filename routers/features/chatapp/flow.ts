import { createHash } from 'node:crypto';
import { type User, userById } from '../../../db/account/account.js';
import {
  insertOauthState,
  type OauthIntent,
  type OauthState,
  takeOauthState,
} from '../../../db/account/oauth-state.js';
import { fail } from '../../base/errors.js';
import type { ChatApp, ChatAppTokens } from '../../base/ports/chat.js';
import { lockAccount } from '../../core/accounts/people.js';
import type { Caller } from '../../core/caller.js';
import type { Context, Services } from '../../core/context.js';
import { requireOutgoing } from '../../core/outgoing.js';
import { askOnBehalf } from '../../core/provider.js';
import { hashSecret, newSecret } from '../../core/secrets.js';

/** How long a login or link attempt at the provider may take (contract §5, Chat-application flow). */
const STATE_SECONDS = 10 * 60;

/** Begins the state of a flow that was begun in a session; what is stored is a hash of all of it. */
const IN_SESSION = 's.';

/** The chat application; 404 if none is configured. */
export function chatAppOf(app: Services): ChatApp {
  requireOutgoing(app);
  return app.chat.app ?? fail('CHATAPP_ABSENT');
}

const redirectUri = (app: Services): string => `${app.settings.baseUrl}/chatapp/callback`;

/**
 * Starts a flow at the provider: stores its state, sets a cookie and returns the URL to redirect to. `linker`
 * is who links an account, null for a login.
 */
export async function beginFlow(ctx: Context, intent: OauthIntent, linker: Caller | null): Promise<string> {
  const { app } = ctx;
  const chatApp = chatAppOf(app);
  const userId = linker?.id ?? null;
  const mark = linker !== null && linker.sessionId !== null ? IN_SESSION : '';
  const [state, cookie, verifier] = [`${mark}${newSecret()}`, newSecret(), newSecret()];
  const at = Date.now();
  const kept = {
    stateHash: hashSecret(state),
    cookieHash: hashSecret(cookie),
    intent,
    userId,
    verifierCipher: app.secrets.encrypt(verifier),
    expiresAt: at + STATE_SECONDS * 1000,
  };
  await app.db.write(async (trx) => {
    if (userId !== null) await lockAccount(app, trx, userId);
    await insertOauthState(trx, kept, at);
  });
  ctx.outgoingCookies.push({ name: 'oauth_state', value: cookie, maxAgeSeconds: STATE_SECONDS });
  return chatApp.authorizeUrl({
    state,
    codeChallenge: createHash('sha256').update(verifier).digest('base64url'),
    redirectUri: redirectUri(app),
  });
}

/** A flow whose browser has come back. */
interface Flow extends OauthState {
  /** The account to link, as it was when the browser came back; null for a login. */
  readonly holder: User | null;
  /** Whether it was begun in a session, not with a key. */
  readonly inSession: boolean;
}

/**
 * Takes the state of this browser's flow, once; 400 if the state is unknown, expired, used, or belongs to
 * another browser.
 */
export async function takeFlow(ctx: Context, state: string): Promise<Flow> {
  const cookie = ctx.cookie('oauth_state');
  if (cookie === null) fail('OAUTH_STATE');
  const taken = await ctx.app.db.write(async (trx) => {
    const begun = await takeOauthState(trx, hashSecret(state), hashSecret(cookie), Date.now());
    if (begun === null || begun.userId === null) return begun && { ...begun, holder: null };
    // A password change waits for this state to be taken, so this is the account with which the flow began.
    const holder = await userById(trx, begun.userId);
    return holder && { ...begun, holder };
  });
  if (taken === null) fail('OAUTH_STATE');
  ctx.outgoingCookies.push({ name: 'oauth_state', value: null, maxAgeSeconds: 0 });
  return { ...taken, inSession: state.startsWith(IN_SESSION) };
}

/** Exchanges the code of a flow for tokens. */
export async function exchangeCode(ctx: Context, flow: OauthState, code: string): Promise<ChatAppTokens> {
  const { app } = ctx;
  const codeVerifier = app.secrets.decrypt(flow.verifierCipher);
  return askOnBehalf(app, () =>
    chatAppOf(app).exchange({ code, codeVerifier, redirectUri: redirectUri(app) }),
  );
}
