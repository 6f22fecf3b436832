import { z } from 'zod';
import { jobCounts, queueTotals } from '../db/system/job.js';
import type { Services } from './context.js';
import { visitResult } from './link/visit.js';
import { follow, followInput, resolve, resolved, resolveInput } from './shared/follow.js';
import { iso, isoOrNull } from './text/dates.js';
import { open, router } from './trpc.js';

const health = z.enum(['ok', 'failing']);

/** The health of this process and its dependencies. */
async function statusOf({ db, storage: { blobs }, settings, log }: Services) {
  const check = async (probe: Promise<unknown>): Promise<'ok' | 'failing'> => {
    try {
      await probe;
      return 'ok';
    } catch (error) {
      log.error({ err: error }, 'a health check failed');
      return 'failing';
    }
  };
  const [database, storage] = await Promise.all([check(db.read.raw('SELECT 1')), check(blobs.check())]);
  const status = database === 'ok' && storage === 'ok' ? ('ok' as const) : ('failing' as const);
  const queue = queueTotals(database === 'ok' ? await jobCounts(db) : []);
  return {
    version: settings.version,
    startedAt: iso(settings.startedAt),
    status,
    database,
    storage,
    queue: { ...queue, oldest: isoOrNull(queue.oldest) },
  };
}

/** What `/status` tells. */
export const serviceStatus = z.object({
  version: z.string(),
  startedAt: z.iso.datetime(),
  status: health,
  database: health,
  storage: health,
  /** The job queue: waiting jobs, given-up jobs, and since when the oldest one has been waiting. */
  queue: z.object({
    waiting: z.int(),
    failed: z.int(),
    oldest: z.iso.datetime().nullable(),
  }),
});

/** The service itself: health, and the item behind an id. */
export const siteRouter = router({
  status: open(null)
    .output(serviceStatus)
    // Cached, because the check writes to the store and anyone may request it.
    .query(({ ctx }) => ctx.app.cachedBriefly('status', () => statusOf(ctx.app))),

  /** Follows `/r/{id}`, or `/{id}` on a short host (contract §4). */
  follow: open(null, 'whilePaused')
    .input(followInput)
    .output(visitResult)
    .mutation(({ ctx, input }) => follow(ctx, input)),

  /** The kind of the item behind `/r/{id}`; counts nothing. */
  resolve: open(null)
    .input(resolveInput)
    .output(resolved)
    .query(({ ctx, input }) => resolve(ctx, input)),
});
