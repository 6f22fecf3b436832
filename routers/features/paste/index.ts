import { z } from 'zod';
import { kindTotals } from '../../../db/statistics/stats.js';
import { fail, found, unlessRemoved } from '../../base/errors.js';
import { isAdmin } from '../../base/roles.js';
import { cutName } from '../../base/text/cut.js';
import { wishedEndInput } from '../../base/text/dates.js';
import { spanInput, spanOf, spanRecord } from '../../base/text/span.js';
import { requireControl, requireOwner } from '../../core/access.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import { entryRulesOf } from '../../core/entry/entry-rules.js';
import { takeCreations } from '../../core/items/creation-rate.js';
import { discard, permanentInput } from '../../core/items/discard.js';
import { displayName } from '../../core/items/file-names.js';
import { customIdInput, insertUnderId, uniqueIdInput } from '../../core/items/ids.js';
import { hashItemPassword, itemPasswordInput } from '../../core/items/item-password.js';
import { endOfNew } from '../../core/items/lifetime.js';
import { tagsInput } from '../../core/items/tags.js';
import { creator, open, router, signedIn } from '../../core/trpc.js';
import { deliverEmitted } from '../../core/webhook/emit.js';
import { changePaste, pasteChangeInput } from './change.js';
import { forkInput, forkPaste } from './fork.js';
import { confirmPaste, getPaste, readInput } from './read.js';
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
import { blankToNull, languageInput, MAX_TITLE_LENGTH, readText, titleInput } from './text.js';

const byId = z.object({ uniqueId: uniqueIdInput });

const createInput = z.object({
  text: z.string({ error: 'send the text in "text", or a file in "file"' }),
  title: titleInput,
  /** Used as the title of an uploaded file that has no title. */
  fileName: z.string().nullish(),
  /** Administrators only. */
  uniqueId: customIdInput,
  private: z.boolean().nullish(),
  password: itemPasswordInput,
  expiresAt: wishedEndInput,
  language: languageInput,
  burn: z.boolean().nullish(),
  tags: tagsInput.optional(),
});

/** A file name as a title; a long one keeps its extension, which tells what it is. */
const fileTitle = (name: string | null | undefined): string | null => {
  const shown = displayName(name ?? null);
  return shown === null ? null : cutName(shown, MAX_TITLE_LENGTH);
};

/** Text pastes (contract §4). */
export const pasteRouter = router({
  create: creator('pastes:write', 'creates')
    .input(createInput)
    .output(pasteRecord)
    .mutation(async ({ ctx, input }) => {
      await takeCreations(ctx.app, ctx.account.id, { bytes: Buffer.byteLength(input.text) });
      if (input.uniqueId !== null && !isAdmin(ctx.account.role)) {
        fail('INVALID', 'Only administrators can choose the id of a paste');
      }
      const text = readText(input.text);
      const expiresAt = endOfNew(await entryRulesOf(ctx.app, ctx.account.id), input.expiresAt);
      const passwordHash = await hashItemPassword(ctx.app, ctx.account.id, input.password);
      const paste = await insertUnderId(ctx.app.db, input.uniqueId, (uniqueId) =>
        ctx.app.creations.paste({
          item: {
            uniqueId,
            ownerId: ctx.account.id,
            isPublic: input.private !== true,
            passwordHash,
            createdAt: Date.now(),
            expiresAt,
            title: blankToNull(input.title) ?? fileTitle(input.fileName),
            ...text,
            language: blankToNull(input.language),
            burn: input.burn === true,
          },
          tags: input.tags,
          watched: ctx.account.hasWebhook,
        }),
      );
      deliverEmitted(ctx);
      return toPasteRecord(ctx.app, paste, { creator: true });
    }),

  get: open('pastes:read')
    .input(readInput)
    .output(pasteRecord)
    .query(({ ctx, input }) => getPaste(ctx, input)),

  /** The record without the text, for the owner: one that can only be read once is edited unread. */
  described: signedIn('pastes:read')
    .input(byId)
    .output(pasteRecord)
    .query(async ({ ctx, input }) => {
      const paste = found(await ctx.app.load.paste(input.uniqueId));
      requireOwner(ctx, paste);
      return toPasteRecord(ctx.app, { ...paste, content: '' }, { own: true });
    }),

  confirm: open('pastes:read', 'whilePaused')
    .input(readInput)
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
      requireControl(ctx, paste);
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
