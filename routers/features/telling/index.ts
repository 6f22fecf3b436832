import { z } from 'zod';
import { stopAllTelling, stopTelling } from '../../../db/content/told/told.js';
import { toldSubject } from '../../../db/content/told/told-subject.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import type { Context } from '../../core/context.js';
import { readStop, type Stopping } from '../../core/telling/stop-link.js';
import { open, router } from '../../core/trpc.js';

const tokenInput = z.object({ token: z.string().min(1).max(400) });

/** What a link of a mail ends. */
export const stoppable = z.object({
  /** Whether it ends all that the account is told. */
  all: z.boolean(),
  /** What the mails are about, as they call it; null for all of it, and for what is gone. */
  name: z.string().nullable(),
  /** Whether its owner is told about it at present. */
  told: z.boolean(),
});

const stoppingOf = (ctx: Context, token: string): Stopping => readStop(ctx.app, token) ?? fail('NOT_FOUND');

async function stoppableOf(db: Queryable, { userId, of }: Stopping): Promise<z.output<typeof stoppable>> {
  if (of === null) return { all: true, name: null, told: true };
  const subject = await toldSubject(db, of);
  if (subject === null || subject.ownerId !== userId) return { all: false, name: null, told: false };
  const { label, title, uniqueId, notify } = subject;
  return { all: false, name: label ?? title ?? uniqueId, told: notify !== 'none' };
}

/** Ends mails about what was opened, for whoever holds the link of one: no account is asked for. */
export const tellingRouter = router({
  about: open(null)
    .input(tokenInput)
    .output(stoppable)
    .query(({ ctx, input }) => stoppableOf(ctx.app.db.read, stoppingOf(ctx, input.token))),

  stop: open(null, 'whilePaused')
    .input(tokenInput)
    .output(stoppable)
    .mutation(async ({ ctx, input }) => {
      const { userId, of } = stoppingOf(ctx, input.token);
      return ctx.app.db.write(async (trx) => {
        const about = await stoppableOf(trx, { userId, of });
        if (of === null) await stopAllTelling(trx, userId);
        else if (about.told) await stopTelling(trx, of);
        return { ...about, told: false };
      });
    }),
});
