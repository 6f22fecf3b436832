import { z } from 'zod';
import { fail } from '../errors.js';
import { summaryOf, userSummary } from '../people.js';
import { open, router, signedIn } from '../trpc.js';
import { fullUser, toFullUser } from '../user/record.js';
import { emailInput, newPasswordInput, usernameInput } from './fields.js';
import { registerFirstOwner } from './first-owner.js';
import { authenticate, loginInput } from './login.js';
import { endSession, startSession } from './session.js';

/** Registration, login and sessions (contract §4, Accounts). */
export const authRouter = router({
  register: open
    .input(
      z.object({
        username: usernameInput,
        email: emailInput,
        password: newPasswordInput,
        inviteCode: z.string().max(200).default(''),
      }),
    )
    .output(z.object({ status: z.enum(['ACTIVE', 'PENDING']) }))
    .mutation(async ({ ctx, input }) => {
      await ctx.app.limits.take('code', `register|${ctx.address}`);
      const owner = { username: input.username, email: input.email, password: input.password, apiKey: null };
      if (await registerFirstOwner(ctx.app, owner, input.inviteCode)) return { status: 'ACTIVE' as const };
      return fail('INVITE_INVALID');
    }),

  login: open
    .input(loginInput)
    .output(fullUser)
    .mutation(async ({ ctx, input }) => {
      const user = await authenticate(ctx, input);
      await startSession(ctx, user.id);
      return toFullUser(ctx.app, user, true);
    }),

  logout: signedIn.output(z.object({})).mutation(async ({ ctx }) => {
    if (ctx.account.sessionId === null) fail('UNAUTHENTICATED');
    await endSession(ctx, ctx.account.sessionId);
    return {};
  }),

  validate: signedIn.output(userSummary).query(({ ctx }) => summaryOf(ctx.app, ctx.account.id)),
});
