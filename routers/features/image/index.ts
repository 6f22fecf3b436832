import { z } from 'zod';
import { countItems, kindExtremes, kindTotals } from '../../../db/statistics/stats.js';
import { found, unlessRemoved } from '../../base/errors.js';
import { spanInput, spanOf, spanRecord } from '../../base/text/span.js';
import { authorise, shownTo } from '../../core/access.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import { discard, permanentInput } from '../../core/items/discard.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { changedPasswordInput, shownPasswordInput } from '../../core/items/item-password.js';
import { requireAllowed } from '../../core/policies.js';
import { sharedInput } from '../../core/sharing/enter.js';
import { linkProcedures } from '../../core/sharing/procedures.js';
import { creator, open, router, signedIn } from '../../core/trpc.js';
import { countUpload } from './allowance.js';
import { changeImage, changeImagePassword, imageChangeInput } from './change.js';
import { contentInput, findImage, getDocument, getPoster, getVideo } from './content.js';
import { delivery } from './deliver.js';
import { archiveListing, listEntries } from './entries.js';
import { getImage, imageAnswer } from './get.js';
import { describeInfo, imageInfo, infoInput } from './info.js';
import { imageQuery } from './query.js';
import { imageRecord, toImageRecord } from './record.js';
import { settingsProcedures } from './settings.js';
import { describeShared, findShared, sharedContent, sharedContentInput, sharedImage } from './shared.js';
import { fileSummary, summariseFiles } from './summary.js';
import { fileText, readFileText } from './text.js';
import { knownFile, knownFiles, knownInput } from './upload/known.js';
import { register, registerInput } from './upload/register.js';
import { replaceImage, replaceInput } from './upload/replace.js';
import { fillInput, fillReserved, reserve, reserveInput, uploadAddress } from './upload/reserve.js';
import { uploadImage, uploadInput } from './upload/upload.js';

const byId = z.object({ uniqueId: uniqueIdInput });

/** Images, video and other files (contract §4). */
export const imageRouter = router({
  ...settingsProcedures,

  upload: creator('images:write', 'creates')
    .input(uploadInput)
    .output(imageRecord)
    .mutation(async ({ ctx, input }) => {
      await countUpload(ctx, input.file);
      return toImageRecord(ctx.app, await uploadImage(ctx, input), { access: true, creator: true });
    }),

  /** Returns an address for uploading one file; `register` turns the file into an image. */
  reserve: creator('images:write', 'creates')
    .input(reserveInput)
    .output(uploadAddress)
    .mutation(({ ctx, input }) => reserve(ctx, input)),

  /** Receives the file for an upload URL of this server; the URL is the credential. */
  fillReserved: open(null, 'whilePaused')
    .input(fillInput)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => ({ uniqueId: await fillReserved(ctx, input) })),

  register: creator('images:write', 'creates')
    .input(registerInput)
    .output(imageRecord)
    .mutation(async ({ ctx, input }) =>
      toImageRecord(ctx.app, await register(ctx, input), { access: true, creator: true }),
    ),

  /** Which of these contents the caller has as files already. */
  known: signedIn('images:read', 'whilePaused')
    .input(knownInput)
    .output(z.array(knownFile))
    .mutation(({ ctx, input }) => knownFiles(ctx, input)),

  get: open('images:read')
    .input(imageQuery)
    .output(imageAnswer)
    .query(({ ctx, input }) => getImage(ctx, input)),

  video: open('images:read')
    .input(contentInput)
    .output(delivery)
    .query(({ ctx, input }) => getVideo(ctx, input)),

  /** A PDF for the frame on its page. */
  document: open('images:read')
    .input(contentInput)
    .output(delivery)
    .query(({ ctx, input }) => getDocument(ctx, input)),

  poster: open('images:read')
    .input(contentInput)
    .output(delivery)
    .query(({ ctx, input }) => getPoster(ctx, input)),

  /** The record, for callers with access; POST keeps the password out of logs and histories. */
  unlock: open('images:read', 'whilePaused')
    .input(byId.extend({ password: shownPasswordInput }))
    .output(imageRecord)
    .mutation(async ({ ctx, input }) => {
      const image = await findImage(ctx, input.uniqueId);
      await authorise(ctx, 'image', image, input.password);
      return toImageRecord(ctx.app, image, { access: true, ...(await shownTo(ctx, 'image', image)) });
    }),

  info: open('images:read')
    .input(infoInput)
    .output(imageInfo)
    .query(({ ctx, input }) => describeInfo(ctx, input)),

  /** The text of a file that a page shows as one. */
  text: open('images:read')
    .input(byId.extend({ password: shownPasswordInput }))
    .output(fileText)
    .query(({ ctx, input }) => readFileText(ctx, input)),

  /** The names and sizes of what is in an archive. */
  entries: open('images:read')
    .input(byId.extend({ password: shownPasswordInput }))
    .output(archiveListing)
    .query(({ ctx, input }) => listEntries(ctx, input)),

  setPassword: signedIn('images:write')
    .input(byId.extend({ password: changedPasswordInput }))
    .output(imageRecord)
    .mutation(({ ctx, input }) => changeImagePassword(ctx, input.uniqueId, input.password)),

  ...linkProcedures('image', findShared),

  /** The bytes that a share link opens; counts a view of the link and of the image. */
  shared: open('images:read')
    .input(sharedContentInput)
    .output(delivery)
    .query(({ ctx, input }) => sharedContent(ctx, input)),

  /** What the page of a share link shows; as `shared`. */
  sharedRecord: open('images:read')
    .input(sharedInput.extend({ head: z.boolean().default(false) }))
    .output(sharedImage)
    .query(({ ctx, input }) => describeShared(ctx, input)),

  /** Changes an image of the caller. */
  change: creator('images:write')
    .input(imageChangeInput)
    .output(imageRecord)
    .mutation(({ ctx, input }) => changeImage(ctx, input)),

  /** Puts other bytes under the id of an image of the caller. */
  replace: creator('images:write')
    .input(replaceInput)
    .output(imageRecord)
    .mutation(async ({ ctx, input }) => {
      await countUpload(ctx, input.file);
      return replaceImage(ctx, input);
    }),

  delete: signedIn('images:write')
    .input(byId.extend(permanentInput))
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      const image = found(await ctx.app.load.image(input.uniqueId));
      requireAllowed(ctx.account, 'remove', 'image', image);
      await discard(ctx.app, 'image', image, { by: ctx.account, permanent: input.permanent });
      return { uniqueId: image.uniqueId };
    }),

  /** Whose files the caller's are, how many, and how much they may take. */
  summary: signedIn('images:read')
    .output(fileSummary)
    .query(({ ctx }) => summariseFiles(ctx)),

  /** Counts all images; sizes, formats and the best uploader include open images only. */
  stats: open('images:read')
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
        best_uploader: best === null ? null : await unlessRemoved(summaryOf(ctx.app, best.ownerId)),
      };
    }),
});
