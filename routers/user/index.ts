import { z } from 'zod';
import { found } from '../errors.js';
import { accountOf } from '../people.js';
import { open, router, signedIn } from '../trpc.js';
import { generatedAvatar } from './avatar.js';
import { fullUser, toFullUser } from './record.js';

/** Accounts as their holders and others see them (contract §4, Accounts). */
export const userRouter = router({
  me: signedIn
    .output(fullUser)
    .query(async ({ ctx }) => toFullUser(ctx.app, await accountOf(ctx.app, ctx.account.id), true)),

  /** The generated picture of an account, as SVG text. */
  avatar: open
    .input(z.object({ uid: z.int().positive() }))
    .output(z.object({ svg: z.string() }))
    .query(async ({ ctx, input }) => {
      const user = found(await ctx.app.load.user(input.uid));
      return { svg: generatedAvatar(user.id) };
    }),
});
