import { z } from 'zod';
import type { Kind } from '../../base/kinds.js';
import { linesOutput } from '../../base/lines.js';
import { router, signedIn } from '../../core/trpc.js';
import { exportItemStats, getItemStats, itemExportInput, itemInput, itemStats } from './item.js';
import { exportLinksStats, getLinksStats, linksExportInput, linksInput, linksStats } from './links.js';
import { exportOpened, getOpened, openedInput, openedStats } from './opened.js';
import { exportedDay, exportInput, exportOwnStats, getOwnStats, ownInput, ownStats, toCsv } from './own.js';
import { getSiteStats, siteInput, siteStats } from './site.js';

/** How often one item was opened. */
const ofItem = (kind: Kind) =>
  signedIn('stats:read')
    .input(itemInput)
    .output(itemStats)
    .query(({ ctx, input }) => getItemStats(ctx, kind, input));

/** Every day on which one item was opened, as CSV or JSON. */
const exportOf = (kind: Kind) =>
  signedIn('stats:read')
    .input(itemExportInput)
    .output(linesOutput)
    .query(({ ctx, input }) => exportItemStats(ctx, kind, input));

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

  /** How often everything that the caller has was opened. */
  opened: signedIn('stats:read')
    .input(openedInput)
    .output(openedStats)
    .query(({ ctx, input }) => getOpened(ctx, input)),

  /** The same for each item and day, as lines. */
  exportOpened: signedIn('account:read')
    .output(linesOutput)
    .query(({ ctx }) => exportOpened(ctx)),

  /** The visits of all links of the caller together, or of those with a tag. */
  links: signedIn('stats:read')
    .input(linksInput)
    .output(linksStats)
    .query(({ ctx, input }) => getLinksStats(ctx, input)),

  /** The same as a list. */
  exportLinks: signedIn('stats:read')
    .input(linksExportInput)
    .output(linesOutput)
    .query(({ ctx, input }) => exportLinksStats(ctx, input)),

  link: ofItem('url'),
  image: ofItem('image'),
  paste: ofItem('paste'),

  exportImage: exportOf('image'),
  exportPaste: exportOf('paste'),
});
