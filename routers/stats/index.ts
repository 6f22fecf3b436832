import { z } from 'zod';
import { router, signedIn } from '../trpc.js';
import { getLinkStats, linkInput, linkStats } from './link.js';
import { exportedDay, exportInput, exportOwnStats, getOwnStats, ownInput, ownStats, toCsv } from './own.js';
import { getSiteStats, siteInput, siteStats } from './site.js';

/** Statistics about items and visits, in UTC days (docs/statistics.md). */
export const statsRouter = router({
  all: signedIn('stats:read')
    .input(ownInput)
    .output(z.object({ uid: z.int(), stats: ownStats }))
    .query(async ({ ctx, input }) => ({ uid: ctx.account.id, stats: await getOwnStats(ctx, input) })),

  get: signedIn('stats:read')
    .input(siteInput)
    .output(siteStats)
    .query(({ ctx, input }) => getSiteStats(ctx, input)),

  export: signedIn('stats:read')
    .input(exportInput)
    .output(z.object({ days: z.array(exportedDay), csv: z.string().nullable() }))
    .query(async ({ ctx, input }) => {
      const days = await exportOwnStats(ctx, input);
      return { days, csv: input.format === 'csv' ? toCsv(days) : null };
    }),

  link: signedIn('stats:read')
    .input(linkInput)
    .output(linkStats)
    .query(({ ctx, input }) => getLinkStats(ctx, input)),
});
