import { z } from 'zod';
import { jobCounts, queueTotals } from '../../db/system/job.js';
import { iso, isoOrNull } from '../base/text/dates.js';
import { within } from '../base/text/within.js';
import type { Context } from '../core/context.js';
import { showsKey } from '../core/scopes.js';
import { open, router } from '../core/trpc.js';
import { visitResult } from '../features/link/visits/visit.js';
import { follow, followInput, resolve, resolved, resolveInput } from './follow.js';

/** How much longer than the probes the count of the queue may take, in milliseconds. */
const QUEUE_MS = 500;
/** How long it may take to find out whose key asks, in milliseconds. */
const CALLER_MS = 2_000;

const health = z.enum(['ok', 'failing']);

/**
 * The health of this process and its dependencies, within three seconds, however long one of them is silent. Shared for
 * two seconds, because the check writes to the store and anyone may request it.
 */
const statusOf = ({ app }: Context): Promise<z.output<typeof serviceStatus>> =>
  app.cachedBriefly('status', async () => {
    const { probes, settings } = app;
    let counts: Awaited<ReturnType<typeof jobCounts>> = [];
    const counting = jobCounts(app.db).then(
      (found) => {
        counts = found;
      },
      () => {},
    );
    const [database, storage] = await Promise.all([probes.database.ask(), probes.storage.ask()]);
    if (database === 'ok') await within(QUEUE_MS, counting);
    const queue = queueTotals(counts);
    return {
      version: settings.version,
      demo: settings.demo,
      startedAt: iso(settings.startedAt),
      status: database === 'ok' && storage === 'ok' ? 'ok' : 'failing',
      database,
      storage,
      queue: { ...queue, oldest: isoOrNull(queue.oldest) },
    };
  });

/**
 * Whether a separate portal asks, which takes every answer but 200 for the end of everything and hides all its pages: its
 * pages in a browser, its server, or a key that reads for its visitors.
 */
async function isPortal(ctx: Context): Promise<boolean> {
  const { frontendUrl } = ctx.app.settings;
  if (frontendUrl === null) return false;
  if (ctx.fromPortal()) return true;
  if (!showsKey(ctx)) return false;
  const caller = await within(
    CALLER_MS,
    ctx.caller().catch(() => null),
  );
  return caller?.key?.asVisitor === true;
}

/** What `/status` tells. */
export const serviceStatus = z.object({
  version: z.string(),
  /** Whether everything begins anew each hour, and nothing is sent or fetched. */
  demo: z.boolean(),
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

/** What `/readyz` tells. */
export const readiness = z.object({
  ready: z.boolean(),
  database: health,
  storage: health,
  /** Whether the process was told to stop; it still serves what it gets. */
  stopping: z.boolean(),
});

/** The service itself: health, and the item behind an id. */
export const siteRouter = router({
  status: open(null)
    .output(serviceStatus)
    .query(({ ctx }) => statusOf(ctx)),

  /** The same for those who need a status code, and whether it is a portal that asks. */
  check: open(null)
    .output(z.object({ status: serviceStatus, isPortal: z.boolean() }))
    .query(async ({ ctx }) => {
      const [status, fromPortal] = await Promise.all([statusOf(ctx), isPortal(ctx)]);
      return { status, isPortal: fromPortal };
    }),

  /** That this process serves requests; asks nothing else. */
  alive: open(null)
    .output(z.object({}))
    .query(() => ({})),

  /** Whether this process should get requests: its dependencies work, and it is not about to stop. */
  ready: open(null)
    .output(readiness)
    .query(async ({ ctx }) => {
      const { database, storage } = await statusOf(ctx);
      const { stopping } = ctx.app.phase;
      return { ready: !stopping && database === 'ok' && storage === 'ok', database, storage, stopping };
    }),

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
