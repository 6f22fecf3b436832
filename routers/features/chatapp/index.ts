import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import { chatLinkByChatId, chatLinkOfUser } from '../../../db/account/chat-link.js';
import type { OauthIntent } from '../../../db/account/oauth-state.js';
import { DomainError, fail, found } from '../../base/errors.js';
import type { ChatAppTokens } from '../../base/ports/chat.js';
import { requireSameHolder } from '../../core/accounts/flow-holder.js';
import { accountOf } from '../../core/accounts/people.js';
import { fullUser, toFullUser } from '../../core/accounts/record.js';
import type { Caller } from '../../core/caller.js';
import type { Context, Services } from '../../core/context.js';
import { requireUnpaused } from '../../core/entry/pause.js';
import { askOnBehalf } from '../../core/provider.js';
import { requireUnpausedOwner } from '../../core/quotas/spend.js';
import { requireMainCredential } from '../../core/scopes.js';
import { admin, open, quiet, requireCaller, router, signedIn } from '../../core/trpc.js';
import { enter } from '../auth/public.js';
import { beginFlow, chatAppOf, exchangeCode, takeFlow } from './flow.js';
import { linkAccount, linkedUser, unlinkAccount } from './link.js';
import { chatConnection, toChatConnection } from './record.js';
import { endToken, withFreshTokens } from './tokens.js';

/** Token lifetime if the caller does not give it: Discord's own. */
const DEFAULT_SECONDS = 7 * 24 * 60 * 60;
const MAX_SECONDS = 10 * 365 * 24 * 60 * 60;

const word = (longest: number) => z.string().min(1).max(longest);

/** Either tokens of the provider, or the code and state from its redirect. */
const proofInput = z.object({
  accessToken: word(2048).nullish(),
  refreshToken: z.string().max(2048).nullish(),
  /** Seconds from now. */
  expiresAt: z.number().min(0).max(MAX_SECONDS).nullish(),
  code: word(2048).nullish(),
  state: word(512).nullish(),
});
type Proof = z.output<typeof proofInput>;

/** The tokens sent by the caller, which must belong to this installation's client; null if there are none. */
async function tokensIn(app: Services, proof: Proof): Promise<ChatAppTokens | null> {
  const { accessToken } = proof;
  if (!accessToken) return null;
  await askOnBehalf(app, () => chatAppOf(app).requireOurs(accessToken));
  return {
    accessToken,
    refreshToken: proof.refreshToken || null,
    expiresAt: Date.now() + (proof.expiresAt ?? DEFAULT_SECONDS) * 1000,
  };
}

/** The tokens for a code; the browser must have started the flow with this intent and account. */
async function tokensOfCode(
  ctx: Context,
  proof: Proof,
  intent: OauthIntent,
  userId: number | null,
): Promise<ChatAppTokens> {
  const { code, state } = proof;
  if (!code || !state) fail('INVALID', 'Send accessToken, or code and state');
  const flow = await takeFlow(ctx, state);
  if (flow.intent !== intent || flow.userId !== userId) fail('OAUTH_STATE');
  return exchangeCode(ctx, flow, code);
}

/** Starts a session; returns the page to continue on: the code page if the account has a second factor. */
async function wayIn(ctx: Context, user: User): Promise<string> {
  const { origin, frontendUrl } = ctx.app.settings;
  try {
    await enter(ctx, user, null);
    return frontendUrl ?? `${origin}/`;
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'LOGIN_CODE_REQUIRED')
      return `${origin}/web/login/code`;
    throw error;
  }
}

/** The caller, who may link an account that can sign in: not paused, and no named key, or its scopes would mean nothing. */
async function requireLinker(ctx: Context): Promise<Caller> {
  const caller = await requireCaller(ctx);
  requireMainCredential(caller);
  requireUnpaused(caller);
  return caller;
}

/** Linking and login with a chat application (contract §4, §5). */
export const chatappRouter = router({
  /** The provider's URL to send a browser to; sets a cookie to recognise it when it comes back. */
  start: open(null, 'whilePaused')
    .input(z.object({ intent: z.enum(['login', 'link']).default('login') }))
    .output(z.object({ location: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const linker = input.intent === 'link' ? await requireLinker(ctx) : null;
      await ctx.app.limits.rates.take('codeAddress', `chatapp|${ctx.network()}`);
      return { location: await beginFlow(ctx, input.intent, linker) };
    }),

  /** The provider redirects browsers here; completes the flow of `start` and redirects to a page. */
  callback: open(null, 'whilePaused')
    .input(z.object({ code: word(2048).nullish(), state: word(512).nullish(), error: z.string().nullish() }))
    .output(z.object({ location: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const { app } = ctx;
      const { origin, frontendUrl } = app.settings;
      if (!input.state) fail('OAUTH_STATE');
      const flow = await takeFlow(ctx, input.state);
      if (!input.code) fail('PROVIDER_REFUSED', 'The chat application denied the sign-in');
      if (flow.holder !== null) {
        await requireSameHolder(ctx, flow.holder, flow.inSession);
        await requireUnpausedOwner(app.db.read, flow.holder.id);
      }
      const tokens = await exchangeCode(ctx, flow, input.code);
      if (flow.holder === null) {
        return { location: await wayIn(ctx, await linkedUser(app, tokens, { ours: true })) };
      }
      await linkAccount(ctx, flow.holder, tokens);
      return { location: frontendUrl ?? `${origin}/web/settings/security?done=saved` };
    }),

  /** Links a chat account to the caller's. */
  authorize: signedIn('account:write')
    .input(proofInput)
    .output(chatConnection)
    .mutation(async ({ ctx, input }) => {
      const { app, account } = ctx;
      requireMainCredential(account);
      const began = await accountOf(app, account.id);
      const tokens = (await tokensIn(app, input)) ?? (await tokensOfCode(ctx, input, 'link', account.id));
      return toChatConnection(app, await linkAccount(ctx, began, tokens));
    }),

  /** Starts a session for the account that a chat account is linked to. Only administrators may send bare tokens. */
  login: open(null, 'whilePaused')
    .input(proofInput)
    .output(fullUser)
    .mutation(async ({ ctx, input }) => {
      const { app } = ctx;
      if (input.accessToken) await requireCaller(ctx, 'ADMIN');
      else await app.limits.rates.take('codeAddress', `chatapp|${ctx.network()}`);
      const shown = await tokensIn(app, input);
      const tokens = shown ?? (await tokensOfCode(ctx, input, 'login', null));
      const user = await linkedUser(app, tokens, { ours: shown === null });
      return toFullUser(app, await enter(ctx, user, null), true);
    }),

  mine: signedIn('account:read')
    .output(chatConnection)
    .query(async ({ ctx }) => {
      const link = found(await chatLinkOfUser(ctx.app.db.read, ctx.account.id));
      return toChatConnection(ctx.app, await withFreshTokens(ctx.app, link));
    }),

  unlink: signedIn('account:write')
    .output(z.object({}))
    .mutation(quiet(({ ctx }) => unlinkAccount(ctx))),

  get: admin('admin:read')
    .input(z.object({ chatappId: word(64) }))
    .output(chatConnection)
    .query(async ({ ctx, input }) => {
      const link = found(await chatLinkByChatId(ctx.app.db.read, input.chatappId));
      return toChatConnection(ctx.app, link);
    }),

  /** Revokes any token of this installation's client at the provider. */
  revoke: admin('admin:write')
    .input(z.object({ token: word(2048) }))
    .output(z.object({}))
    .mutation(async ({ ctx, input }) => {
      const chatApp = chatAppOf(ctx.app);
      await askOnBehalf(ctx.app, () => endToken(chatApp, input.token));
      return {};
    }),
});
