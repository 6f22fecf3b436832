import { z } from 'zod';
import { insertPaste } from '../../db/content/paste.js';
import { kindTotals } from '../../db/statistics/stats.js';
import { requireControl } from '../access.js';
import { readableSize } from '../embed.js';
import { fail, found, unlessGone } from '../errors.js';
import { displayName } from '../image/names.js';
import { isAdmin } from '../roles.js';
import { customIdInput, insertUnderId, uniqueIdInput } from '../shared/ids.js';
import { hashItemPassword, itemPasswordInput } from '../shared/item-password.js';
import { summaryOf, userSummary } from '../shared/user-summary.js';
import { cutName } from '../text/cut.js';
import { expiryInput } from '../text/dates.js';
import { spanInput, spanOf, spanRecord } from '../text/span.js';
import { creator, open, router, signedIn } from '../trpc.js';
import { deliverEmitted, emitIfWatched } from '../webhook/emit.js';
import { pasteItem } from '../webhook/events.js';
import { deletePaste } from './delete.js';
import { confirmPaste, getPaste, readInput } from './read.js';
import { pasteRecord, toPasteRecord } from './record.js';

/** Maximum size of a paste, in bytes of UTF-8. */
const MAX_PASTE_LENGTH = 1024 * 1024;
const MAX_TITLE_LENGTH = 200;

const byId = z.object({ uniqueId: uniqueIdInput });

const createInput = z.object({
  text: z.string({ error: 'send the text in "text", or a file in "file"' }),
  title: z.string().max(MAX_TITLE_LENGTH).nullish(),
  /** Used as the title of an uploaded file that has no title. */
  fileName: z.string().nullish(),
  /** Administrators only. */
  uniqueId: customIdInput,
  private: z.boolean().nullish(),
  password: itemPasswordInput,
  expiresAt: expiryInput,
  language: z
    .string()
    .regex(/^[A-Za-z0-9+#._-]{0,40}$/, 'is not a known language')
    .nullish(),
  burn: z.boolean().nullish(),
});

const blankToNull = (text: string | null | undefined): string | null => {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
};

/** A file name as a title; a long one keeps its extension, which tells what it is. */
const fileTitle = (name: string | null | undefined): string | null => {
  const shown = displayName(name ?? null);
  return shown === null ? null : cutName(shown, MAX_TITLE_LENGTH);
};

/** The text as stored; refuses empty, overlong and binary content. */
function readText(text: string): { content: string; size: number } {
  if (text === '') fail('INVALID', 'The paste is empty');
  if (text.includes('\u0000')) fail('INVALID', 'The paste is not text');
  const content = text.toWellFormed();
  const size = Buffer.byteLength(content);
  if (size > MAX_PASTE_LENGTH) fail('INVALID', `A paste can be at most ${readableSize(MAX_PASTE_LENGTH)}`);
  return { content, size };
}

/** Text pastes (contract §4). */
export const pasteRouter = router({
  create: creator
    .input(createInput)
    .output(pasteRecord)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.limits.rates.take('create', String(ctx.account.id));
      if (input.uniqueId !== null && !isAdmin(ctx.account.role)) {
        fail('INVALID', 'Only administrators can choose the id of a paste');
      }
      const text = readText(input.text);
      const passwordHash = await hashItemPassword(ctx.app, ctx.account.id, input.password);
      const { db } = ctx.app;
      const paste = await insertUnderId(db, input.uniqueId, (uniqueId) =>
        db.write(async (trx) => {
          const made = await insertPaste(trx, {
            uniqueId,
            ownerId: ctx.account.id,
            isPublic: input.private !== true,
            passwordHash,
            createdAt: Date.now(),
            expiresAt: input.expiresAt,
            title: blankToNull(input.title) ?? fileTitle(input.fileName),
            ...text,
            language: blankToNull(input.language),
            burn: input.burn === true,
          });
          await emitIfWatched(ctx, trx, 'paste.created', () => pasteItem(ctx.app, made));
          return made;
        }),
      );
      deliverEmitted(ctx);
      return toPasteRecord(ctx.app, paste, { creator: true });
    }),

  get: open
    .input(readInput)
    .output(pasteRecord)
    .query(({ ctx, input }) => getPaste(ctx, input)),

  confirm: open
    .input(readInput)
    .output(pasteRecord)
    .mutation(({ ctx, input }) => confirmPaste(ctx, input)),

  delete: signedIn
    .input(byId)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const paste = found(await ctx.app.load.paste(input.uniqueId));
      requireControl(ctx, paste);
      await deletePaste(ctx.app, paste);
      return { uniqueId: paste.uniqueId };
    }),

  stats: open
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
        biggest_creator: best === null ? null : await unlessGone(summaryOf(ctx.app, best.ownerId)),
        total_pastes: items,
      };
    }),
});
