import { z } from 'zod';
import { insertLink, type Link } from '../../db/content/link.js';
import { accessOrNull, isOwnerOrAdmin, requireControl } from '../access.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';
import { customIdInput, insertUnderId, uniqueIdInput } from '../shared/ids.js';
import { idIn } from '../shared/item-address.js';
import { hashItemPassword, itemPasswordInput, shownPasswordInput } from '../shared/item-password.js';
import { expiryInput } from '../text/dates.js';
import { creator, open, router, signedIn } from '../trpc.js';
import { deliverEmitted, emitIfWatched } from '../webhook/emit.js';
import { linkItem } from '../webhook/events.js';
import { deleteUrl } from './delete.js';
import { shortUrlRecord, toShortUrlRecord, toVisitRecord, visitRecord } from './record.js';
import { readTarget } from './target.js';
import { isOver, visit, visitInput, visitResult } from './visit.js';
import { NEWEST_VISITS, visitsAsked, visitsPage, withVisits } from './visits.js';

const byId = z.object({ uniqueId: uniqueIdInput });

const createInput = z.object({
  url: z.string(),
  uniqueId: customIdInput,
  maxUses: z
    .union([z.literal(-1), z.int().min(1)])
    .nullish()
    .transform((value) => (value === undefined || value === null || value === -1 ? null : value)),
  expiresAt: expiryInput,
  password: itemPasswordInput,
});

/** The link with this id, even if it can no longer be followed; 404 if unknown. */
const findUrl = async (ctx: Context, uniqueId: string): Promise<Link> =>
  found(await ctx.app.load.url(uniqueId));

/** Short URLs (contract §4). */
export const urlRouter = router({
  create: creator
    .input(createInput)
    .output(shortUrlRecord)
    .mutation(async ({ ctx, input }) => {
      await ctx.app.limits.rates.take('create', String(ctx.account.id));
      const originalUrl = readTarget(input.url, ctx.app.settings);
      const passwordHash = await hashItemPassword(ctx.app, ctx.account.id, input.password);
      const { db } = ctx.app;
      const url = await insertUnderId(db, input.uniqueId, (uniqueId) =>
        db.write(async (trx) => {
          const made = await insertLink(trx, {
            uniqueId,
            ownerId: ctx.account.id,
            isPublic: true,
            passwordHash,
            createdAt: Date.now(),
            expiresAt: input.expiresAt,
            originalUrl,
            maxUses: input.maxUses,
          });
          await emitIfWatched(ctx, trx, 'url.created', () => linkItem(ctx.app, made));
          return made;
        }),
      );
      deliverEmitted(ctx);
      return toShortUrlRecord(ctx.app, url, { access: true, creator: true });
    }),

  get: open
    .input(byId.extend({ password: shownPasswordInput, logs: z.boolean().default(false) }))
    .output(shortUrlRecord)
    .query(async ({ ctx, input }) => {
      const url = await findUrl(ctx, input.uniqueId);
      if (isOver(url) && !(await isOwnerOrAdmin(ctx, url))) fail('NOT_FOUND');
      const access = (await accessOrNull(ctx, 'url', url, input.password)) !== null;
      const withLogs = input.logs && (await isOwnerOrAdmin(ctx, url));
      if (!withLogs) return toShortUrlRecord(ctx.app, url, { access });
      return withVisits(ctx, url, NEWEST_VISITS, (logs) => toShortUrlRecord(ctx.app, url, { access, logs }));
    }),

  visit: open
    .input(visitInput)
    .output(visitResult)
    .mutation(({ ctx, input }) => visit(ctx, { ...input, uniqueId: idIn(input.uniqueId) })),

  /** The newest visits, or with a page older ones. */
  logs: signedIn
    .input(byId.extend(visitsPage))
    .output(z.object({ uniqueId: z.string(), logs: z.array(visitRecord) }))
    .query(async ({ ctx, input }) => {
      const url = await findUrl(ctx, input.uniqueId);
      if (!(await isOwnerOrAdmin(ctx, url))) fail(isOver(url) ? 'NOT_FOUND' : 'NOT_OWNER');
      return withVisits(ctx, url, visitsAsked(input), async (visits) => ({
        uniqueId: url.uniqueId,
        logs: visits.map(toVisitRecord),
      }));
    }),

  delete: signedIn
    .input(byId)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const url = await findUrl(ctx, input.uniqueId);
      requireControl(ctx, url);
      await deleteUrl(ctx.app, url);
      return { uniqueId: url.uniqueId };
    }),
});
