import { z } from 'zod';
import type { User } from '../../../db/account/account.js';
import { DomainError, fail } from '../../base/errors.js';
import { safeNext } from '../../base/local-path.js';
import { contentPageAsked, contentPageInput, contentPageOf } from '../../base/paging.js';
import type { OidcPerson, OidcProvider } from '../../base/ports/oidc.js';
import { requireSameHolder } from '../../core/accounts/flow-holder.js';
import type { Context } from '../../core/context.js';
import { requireUnpaused } from '../../core/entry/pause.js';
import { askOnBehalf } from '../../core/provider.js';
import { requireUnpausedOwner } from '../../core/quotas/spend.js';
import { open, quiet, requireCaller, router, signedIn } from '../../core/trpc.js';
import { enter, requireOffered, requireProof } from '../auth/public.js';
import { accountBehind } from './enter.js';
import { beginFlow, personBehind, providerOf, takeFlow } from './flow.js';
import { identityRecord, linkIdentity, listIdentities, unlinkIdentity } from './identities.js';

const name = z.string().max(64);
const location = z.object({ location: z.string() });

const providerRecord = z.object({
  name: z.string(),
  label: z.string(),
  startUrl: z.url(),
  /** Whether somebody without an account here gets one. */
  registration: z.enum(['always', 'invite', 'never']),
});

/** Signing in with OpenID Connect, and the identities that can (contract §7). */
export const oidcRouter = router({
  /** How one can sign in here. */
  providers: open(null)
    .input(contentPageInput.optional())
    .output(
      contentPageOf(providerRecord).extend({ signIn: z.array(z.enum(['password', 'passkey', 'oidc'])) }),
    )
    .query(({ ctx, input }) => {
      const { settings, oidc } = ctx.app;
      const { page, pageSize } = contentPageAsked(input);
      const offered = settings.signIn.includes('oidc') ? oidc : [];
      return {
        content: offered.slice(page * pageSize, (page + 1) * pageSize).map((provider) => ({
          name: provider.name,
          label: provider.label,
          startUrl: `${settings.baseUrl}/auth/oidc/${provider.name}/start`,
          registration: provider.autoRegister,
        })),
        totalElements: offered.length,
        totalPages: Math.ceil(offered.length / pageSize),
        currentPage: page,
        pageSize,
        signIn: [...settings.signIn],
      };
    }),

  /** The provider's address to send a browser to; sets a cookie to recognise it when it comes back. */
  start: open(null, 'whilePaused')
    .input(
      z.object({
        name,
        intent: z.enum(['login', 'link']).default('login'),
        next: z.string().nullish(),
        invite: z.string().trim().max(200).nullish(),
      }),
    )
    .output(location)
    .mutation(async ({ ctx, input }) => {
      const provider = providerOf(ctx.app, input.name);
      requireOffered(ctx.app, 'oidc');
      const userId = input.intent === 'link' ? await requireLinker(ctx) : null;
      await ctx.app.limits.rates.take('codeAddress', `oidc|${ctx.network()}`);
      const next = input.next ? safeNext(input.next) : null;
      return {
        location: await beginFlow(ctx, provider, { userId, next, invite: input.invite || null }),
      };
    }),

  /** Providers redirect browsers here; completes the flow of `start` and redirects to a page. */
  callback: open(null, 'whilePaused')
    .input(z.object({ name, state: z.string().max(512).nullish(), query: z.string().max(16_384) }))
    .output(location)
    .mutation(async ({ ctx, input }) => {
      const { app } = ctx;
      const provider = providerOf(app, input.name);
      if (!input.state) fail('OAUTH_STATE');
      const flow = await takeFlow(ctx, provider, input.state);
      if (flow.holder !== null) {
        await requireSameHolder(ctx, flow.holder, true);
        await requireUnpausedOwner(app.db.read, flow.holder.id);
      }
      const person = await personBehind(app, provider, flow, input.query);
      const { origin, frontendUrl } = app.settings;
      if (flow.holder !== null) {
        await linkIdentity(ctx, provider, flow.holder, person);
        return { location: `${origin}${flow.next ?? '/web/settings/security?done=linked'}` };
      }
      const user = await accountBehind(ctx, provider, person, flow);
      const onward = flow.next === null ? (frontendUrl ?? `${origin}/`) : `${origin}${flow.next}`;
      return { location: await wayIn(ctx, user, provider, person, onward) };
    }),

  /** The provider's address for signing out there, after signing out here. */
  logout: open(null, 'whilePaused')
    .input(z.object({ name }))
    .output(location)
    .mutation(async ({ ctx, input }) => {
      const { app } = ctx;
      const provider = providerOf(app, input.name);
      const returnTo = `${app.settings.origin}/`;
      const cookie = ctx.cookie('oidc_logout');
      ctx.outgoingCookies.push({ name: 'oidc_logout', value: null, maxAgeSeconds: 0 });
      const idToken = cookie === null ? null : openedToken(ctx, cookie);
      const there = await askOnBehalf(app, () => provider.logoutUrl({ idToken, returnTo }));
      return { location: there ?? returnTo };
    }),

  identities: signedIn('account:read')
    .input(contentPageInput.optional())
    .output(contentPageOf(identityRecord))
    .query(({ ctx, input }) => listIdentities(ctx, contentPageAsked(input))),

  unlink: signedIn('account:write')
    .input(z.object({ id: z.int(), password: z.string().max(200).nullish() }))
    .output(z.object({}))
    .mutation(quiet(({ ctx, input }) => unlinkIdentity(ctx, input))),
});

/** The caller, whose session proves that they are there: what they link can sign in from then on. */
async function requireLinker(ctx: Context): Promise<number> {
  const account = await requireCaller(ctx);
  requireUnpaused(account);
  await requireProof({ ...ctx, account }, null);
  return account.id;
}

/** Starts a session; returns where to continue, which is another step if the account needs one. */
async function wayIn(
  ctx: Context,
  user: User,
  provider: OidcProvider,
  { idToken }: OidcPerson,
  onward: string,
): Promise<string> {
  const { origin } = ctx.app.settings;
  try {
    await enter(ctx, user, null, { provider: provider.name, idToken });
    return onward;
  } catch (error) {
    const reason = error instanceof DomainError ? error.reason : null;
    if (reason === 'LOGIN_PENDING') return `${origin}/web/verify`;
    if (reason !== 'LOGIN_CODE_REQUIRED') throw error;
    const next = onward.startsWith(`${origin}/`) ? onward.slice(origin.length) : '/';
    return `${origin}/web/login/code?next=${encodeURIComponent(next)}`;
  }
}

/** The ID token in the cookie that signing out has set; null if it is not from here. */
function openedToken({ app }: Context, cookie: string): string | null {
  try {
    return app.secrets.decrypt(cookie);
  } catch {
    return null;
  }
}
