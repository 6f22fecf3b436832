import { z } from 'zod';
import { fail } from '../../../base/errors.js';
import { linesOutput } from '../../../base/lines.js';
import { slugOf } from '../../../base/link-domain.js';
import { may } from '../../../core/policies.js';
import { signedIn } from '../../../core/trpc.js';
import { exportVisits, visitExportInput } from '../export.js';
import { byId, findLink } from '../find.js';
import { toVisitRecord, visitRecord } from '../record.js';
import { isEnded } from './visit.js';
import { forgetVisits, listVisits, visitListInput, visitListPage } from './visit-list.js';
import { visitsAsked, visitsPage, withVisits } from './visits.js';

/** The visits of links, one by one. */
export const visitProcedures = {
  /** The newest visits, or with a page older ones. */
  logs: signedIn('urls:read')
    .input(byId.extend(visitsPage))
    .output(z.object({ uniqueId: z.string(), logs: z.array(visitRecord) }))
    .query(async ({ ctx, input }) => {
      const url = await findLink(ctx, input);
      if (!(await may(ctx, 'seeVisitors', 'url', url))) fail(isEnded(url) ? 'NOT_FOUND' : 'NOT_OWNER');
      const own = await may(ctx, 'seeOwn', 'url', url);
      return withVisits(ctx, url, visitsAsked(input), async (visits) => ({
        uniqueId: slugOf(url.uniqueId),
        logs: visits.map((visit) => toVisitRecord(visit, own)),
      }));
    }),

  /** The visits of the caller's links in a span: of one, of those with a tag, or of all. */
  visits: signedIn('urls:read')
    .input(visitListInput)
    .output(visitListPage)
    .query(({ ctx, input }) => listVisits(ctx, input)),

  /** Deletes the visits of a link of the caller: it counts from 0 again. */
  forgetVisits: signedIn('urls:write')
    .input(byId)
    .output(z.object({ forgotten: z.int() }))
    .mutation(async ({ ctx, input }) => ({ forgotten: await forgetVisits(ctx, input) })),

  /** Every visit in the log of a link, as CSV or JSON. */
  exportVisits: signedIn('urls:read')
    .input(visitExportInput)
    .output(linesOutput)
    .query(({ ctx, input }) => exportVisits(ctx, input)),
};
