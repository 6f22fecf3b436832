import { z } from 'zod';
import { iso } from './dates.js';
import { follow, followInput } from './follow.js';
import { open, router } from './trpc.js';
import { visitResult } from './url/visit.js';

const health = z.enum(['ok', 'failing']);

/** The service itself: health, and what an id stands for. */
export const siteRouter = router({
  status: open
    .output(
      z.object({
        version: z.string(),
        startedAt: z.iso.datetime(),
        status: health,
        database: health,
        storage: health,
      }),
    )
    .query(async ({ ctx }) => {
      const check = async (probe: Promise<unknown>): Promise<'ok' | 'failing'> => {
        try {
          await probe;
          return 'ok';
        } catch (error) {
          ctx.app.log.error({ err: error }, 'a health check failed');
          return 'failing';
        }
      };
      const { db, blobs, settings } = ctx.app;
      const [database, storage] = await Promise.all([check(db.read.raw('SELECT 1')), check(blobs.check())]);
      const status = database === 'ok' && storage === 'ok' ? ('ok' as const) : ('failing' as const);
      return { version: settings.version, startedAt: iso(settings.startedAt), status, database, storage };
    }),

  /** Follows `/r/{id}`, or `/{id}` on a short host (contract §4). */
  follow: open
    .input(followInput)
    .output(visitResult)
    .mutation(({ ctx, input }) => follow(ctx, input)),
});
