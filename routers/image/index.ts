import { z } from 'zod';
import { setContentPassword } from '../../db/content/content-change.js';
import { countItems, kindExtremes, kindTotals } from '../../db/statistics/stats.js';
import { accessOrNull, authorise, isOwnerOrAdmin, requireControl } from '../access.js';
import { fail, found, unlessGone } from '../errors.js';
import { uniqueIdInput } from '../shared/ids.js';
import { changedPasswordInput, hashItemPassword, shownPasswordInput } from '../shared/item-password.js';
import { summaryOf, userSummary } from '../shared/user-summary.js';
import { spanInput, spanOf, spanRecord } from '../text/span.js';
import { creator, open, router, signedIn } from '../trpc.js';
import { countUpload } from './allowance.js';
import { contentInput, delivery, findImage, getPoster, getVideo } from './content.js';
import { deleteImage } from './delete.js';
import { getImage, imageAnswer } from './get.js';
import { imageQuery } from './query.js';
import { imageRecord, toImageRecord } from './record.js';
import { register, registerInput } from './register.js';
import { fillInput, fillReserved, reserve, reserveInput, uploadAddress } from './reserve.js';
import { settingsProcedures } from './settings.js';
import { uploadImage, uploadInput } from './upload.js';

const byId = z.object({ uniqueId: uniqueIdInput });

/** Images, video and other files (contract §4). */
export const imageRouter = router({
  ...settingsProcedures,

  upload: creator
    .input(uploadInput)
    .output(imageRecord)
    .mutation(async ({ ctx, input }) => {
      await countUpload(ctx, input.file);
      return toImageRecord(ctx.app, await uploadImage(ctx, input), { access: true, creator: true });
    }),

  /** Returns an address for uploading one file; `register` turns the file into an image. */
  reserve: creator
    .input(reserveInput)
    .output(uploadAddress)
    .mutation(({ ctx, input }) => reserve(ctx, input)),

  /** Receives the file for an upload URL of this server; the URL is the credential. */
  fillReserved: open
    .input(fillInput)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => ({ uniqueId: await fillReserved(ctx, input) })),

  register: creator
    .input(registerInput)
    .output(imageRecord)
    .mutation(async ({ ctx, input }) =>
      toImageRecord(ctx.app, await register(ctx, input), { access: true, creator: true }),
    ),

  get: open
    .input(imageQuery)
    .output(imageAnswer)
    .query(({ ctx, input }) => getImage(ctx, input)),

  video: open
    .input(contentInput)
    .output(delivery)
    .query(({ ctx, input }) => getVideo(ctx, input)),

  poster: open
    .input(contentInput)
    .output(delivery)
    .query(({ ctx, input }) => getPoster(ctx, input)),

  /** The record, for callers with access; POST keeps the password out of logs and histories. */
  unlock: open
    .input(byId.extend({ password: shownPasswordInput }))
    .output(imageRecord)
    .mutation(async ({ ctx, input }) => {
      const image = await findImage(ctx, input.uniqueId);
      await authorise(ctx, 'image', image, input.password);
      return toImageRecord(ctx.app, image, { access: true });
    }),

  info: open
    .input(byId.extend({ password: shownPasswordInput }))
    .output(imageRecord)
    .query(async ({ ctx, input }) => {
      const image = await findImage(ctx, input.uniqueId);
      const access = (await accessOrNull(ctx, 'image', image, input.password)) !== null;
      return toImageRecord(ctx.app, image, { access });
    }),

  setPassword: signedIn
    .input(byId.extend({ password: changedPasswordInput }))
    .output(imageRecord)
    .mutation(async ({ ctx, input }) => {
      const image = found(await ctx.app.load.image(input.uniqueId));
      if (!(await isOwnerOrAdmin(ctx, image))) fail('NOT_OWNER');
      await ctx.app.limits.rates.take('create', String(ctx.account.id));
      const passwordHash = await hashItemPassword(ctx.app, ctx.account.id, input.password);
      const changed = await ctx.app.db.write((trx) =>
        setContentPassword(trx, 'image', image.id, passwordHash),
      );
      if (!changed) fail('NOT_FOUND');
      return toImageRecord(ctx.app, { ...image, passwordHash }, { access: true });
    }),

  delete: signedIn
    .input(byId)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const image = found(await ctx.app.load.image(input.uniqueId));
      requireControl(ctx, image);
      await deleteImage(ctx.app, image);
      return { uniqueId: image.uniqueId };
    }),

  /** Counts all images; sizes, formats and the best uploader include open images only. */
  stats: open
    .input(spanInput)
    .output(
      z.object({
        fromDate: z.iso.datetime(),
        toDate: z.iso.datetime(),
        total: z.int(),
        total_all: z.int(),
        sizes: z.object({ largest: z.int(), smallest: z.int(), average: z.int(), total: z.int() }),
        formats: z.record(z.string(), z.int()),
        best_uploader: userSummary.nullable(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const span = spanOf(input);
      const { db } = ctx.app;
      const [totals, extremes, all] = await ctx.app.limits.statistics(() =>
        Promise.all([
          kindTotals(db, 'image', span),
          kindExtremes(db, 'image', span),
          countItems(db, 'image'),
        ]),
      );
      const { items, open, best } = totals;
      const average = open.items === 0 ? 0 : Math.round(open.bytes / open.items);
      return {
        ...spanRecord(span),
        total: items,
        total_all: all,
        sizes: { ...extremes, average, total: open.bytes },
        formats: open.formats,
        best_uploader: best === null ? null : await unlessGone(summaryOf(ctx.app, best.ownerId)),
      };
    }),
});
