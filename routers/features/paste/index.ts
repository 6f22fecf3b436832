import { z } from 'zod';
import { kindTotals } from '../../../db/statistics/stats.js';
import { found, unlessRemoved } from '../../base/errors.js';
import { spanInput, spanOf, spanRecord } from '../../base/text/span.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import { discard, permanentInput } from '../../core/items/discard.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { requireAllowed } from '../../core/policies.js';
import { linkProcedures } from '../../core/sharing/procedures.js';
import { creator, open, router, signedIn } from '../../core/trpc.js';
import { zipListing } from '../collection/public.js';
import { changePaste, pasteChangeInput } from './change.js';
import { createInput, createPaste } from './create.js';
import { forkInput, forkPaste } from './fork.js';
import { confirmPaste, getPaste, readFileInput, readInput } from './read.js';
import { pasteRecord, toPasteRecord } from './record.js';
import {
  diffInput,
  diffRevisions,
  getRevision,
  listRevisions,
  restoreInput,
  restoreRevision,
  revisionInput,
  revisionPage,
  revisionsInput,
  wholeRevisionRecord,
} from './revisions.js';
import { findShared, sharedPaste, sharedPasteInput } from './shared.js';
import { zipPaste } from './zip.js';

const byId = z.object({ uniqueId: uniqueIdInput });

/** Text pastes (contract §4). */
export const pasteRouter = router({
  create: creator('pastes:write', 'creates')
    .input(createInput)
    .output(pasteRecord)
    .mutation(async ({ ctx, input }) =>
      toPasteRecord(ctx.app, await createPaste(ctx, input), { creator: true }),
    ),

  get: open('pastes:read')
    .input(readFileInput)
    .output(pasteRecord)
    .query(({ ctx, input }) => getPaste(ctx, input)),

  /** What the zip of its files is made of. */
  zip: open('pastes:read')
    .input(readInput)
    .output(zipListing)
    .query(({ ctx, input }) => zipPaste(ctx, input)),

  /** The record without the text, for the owner: one that can only be read once is edited unread. */
  described: signedIn('pastes:read')
    .input(byId)
    .output(pasteRecord)
    .query(async ({ ctx, input }) => {
      const paste = found(await ctx.app.load.paste(input.uniqueId));
      requireAllowed(ctx.account, 'manage', 'paste', paste);
      return toPasteRecord(ctx.app, { ...paste, content: '' }, { own: true });
    }),

  confirm: open('pastes:read', 'whilePaused')
    .input(readFileInput)
    .output(pasteRecord)
    .mutation(({ ctx, input }) => confirmPaste(ctx, input)),

  /** Changes a paste of the caller. */
  change: creator('pastes:write')
    .input(pasteChangeInput)
    .output(pasteRecord)
    .mutation(({ ctx, input }) => changePaste(ctx, input)),

  /** Makes a new paste of the caller with the text of one that the caller may read. */
  fork: creator('pastes:write')
    .input(forkInput)
    .output(pasteRecord)
    .mutation(({ ctx, input }) => forkPaste(ctx, input)),

  ...linkProcedures('paste', findShared),

  /** What a share link opens; counts a view of the link and of the paste. */
  shared: open('pastes:read')
    .input(sharedPasteInput)
    .output(pasteRecord)
    .query(({ ctx, input }) => sharedPaste(ctx, input)),

  revisions: signedIn('pastes:read')
    .input(revisionsInput)
    .output(revisionPage)
    .query(({ ctx, input }) => listRevisions(ctx, input)),

  revision: signedIn('pastes:read')
    .input(revisionInput)
    .output(wholeRevisionRecord)
    .query(({ ctx, input }) => getRevision(ctx, input)),

  diff: signedIn('pastes:read')
    .input(diffInput)
    .output(z.object({ uniqueId: z.string(), diff: z.string() }))
    .query(({ ctx, input }) => diffRevisions(ctx, input)),

  /** Makes an older revision the present text again. */
  restore: creator('pastes:write')
    .input(restoreInput)
    .output(pasteRecord)
    .mutation(({ ctx, input }) => restoreRevision(ctx, input)),

  delete: signedIn('pastes:write')
    .input(byId.extend(permanentInput))
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const paste = found(await ctx.app.load.paste(input.uniqueId));
      requireAllowed(ctx.account, 'remove', 'paste', paste);
      await discard(ctx.app, 'paste', paste, { by: ctx.account, permanent: input.permanent });
      return { uniqueId: paste.uniqueId };
    }),

  stats: open('pastes:read')
    .input(spanInput)
    .output(
      z.object({
        fromDate: z.iso.datetime(),
        toDate: z.iso.datetime(),
        biggest_creator: userSummary.nullable(),
        total_pastes: z.int(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const span = spanOf(input);
      const { items, best } = await ctx.app.limits.statistics(() => kindTotals(ctx.app.db, 'paste', span));
      return {
        ...spanRecord(span),
        biggest_creator: best === null ? null : await unlessRemoved(summaryOf(ctx.app, best.ownerId)),
        total_pastes: items,
      };
    }),
});
