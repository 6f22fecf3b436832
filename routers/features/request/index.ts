import { z } from 'zod';
import { requestFiles } from '../../../db/content/upload/request-file.js';
import { requestsOf } from '../../../db/content/upload/upload-request.js';
import {
  contentPageAsked,
  contentPageInput,
  contentPageOf,
  toContentPage,
  windowOf,
} from '../../base/paging.js';
import { challengeToken } from '../../core/challenge.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { creator, open, router, signedIn } from '../../core/trpc.js';
import { delivery } from '../image/public.js';
import { changeRequest, createRequest, removeRequest } from './change.js';
import { changeRequestInput, createRequestInput, requestInput } from './fields.js';
import { isLetIn, openRequest, ownRequest, requestTicket, requireLetIn, takeSolvedBy } from './find.js';
import { receiveFile, receiveInput } from './receive.js';
import {
  isBlind,
  openedRequest,
  receipt,
  receivedFile,
  requestRecord,
  toOpenedRequest,
  toReceived,
  toRequestRecord,
} from './record.js';
import {
  approvalInput,
  approveFile,
  showWall,
  takeBack,
  takeBackInput,
  wallInput,
  wallPage,
  wallPicture,
  wallPictureInput,
} from './wall.js';

/** How many of what others sent a guest sees. */
const SHOWN = 100;

const openInput = requestInput.extend({
  password: shownPasswordInput,
  ticket: z.string().max(400).nullish(),
});

/** Links by which others upload to an account (contract §6). */
export const requestRouter = router({
  mine: signedIn('images:read')
    .input(contentPageInput)
    .output(contentPageOf(requestRecord))
    .query(async ({ ctx, input }) => {
      const asked = contentPageAsked(input);
      const { items, total } = await requestsOf(ctx.app.db, ctx.account.id, windowOf(asked));
      const records = await Promise.all(items.map((item) => toRequestRecord(ctx.app, item)));
      return toContentPage(asked, records, total);
    }),

  get: signedIn('images:read')
    .input(requestInput)
    .output(requestRecord)
    .query(async ({ ctx, input }) => toRequestRecord(ctx.app, await ownRequest(ctx, input.uniqueId))),

  /** What came in, newest first. */
  received: signedIn('images:read')
    .input(contentPageInput.extend({ ...requestInput.shape, waiting: z.boolean().nullish() }))
    .output(contentPageOf(receivedFile))
    .query(async ({ ctx, input }) => {
      const asked = contentPageAsked(input);
      const { id } = await ownRequest(ctx, input.uniqueId);
      const { items, total } = await requestFiles(
        ctx.app.db,
        { requestId: id, waiting: input.waiting === true },
        windowOf(asked),
      );
      return toContentPage(asked, items.map(toReceived), total);
    }),

  create: creator('images:write', 'creates')
    .input(createRequestInput)
    .output(requestRecord)
    .mutation(async ({ ctx, input }) => toRequestRecord(ctx.app, await createRequest(ctx, input))),

  change: creator('images:write')
    .input(changeRequestInput)
    .output(requestRecord)
    .mutation(async ({ ctx, input }) => toRequestRecord(ctx.app, await changeRequest(ctx, input))),

  delete: signedIn('images:write')
    .input(requestInput)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => ({ uniqueId: (await removeRequest(ctx, input.uniqueId)).uniqueId })),

  /** What a guest sees; what others sent only with the password, if there is one. */
  open: open(null)
    .input(openInput)
    .output(openedRequest)
    .query(async ({ ctx, input }) => {
      const request = await openRequest(ctx.app, input.uniqueId);
      if (input.password && !isLetIn(ctx.app, request, input.ticket)) await requireLetIn(ctx, request, input);
      const isIn = Boolean(input.password) || isLetIn(ctx.app, request, input.ticket);
      const shows = isIn && !isBlind(request);
      const { items } = shows
        ? await requestFiles(ctx.app.db, { requestId: request.id }, { limit: SHOWN, offset: 0 })
        : { items: [] };
      return toOpenedRequest(ctx, request, items);
    }),

  /** Checks the password of a request once; the ticket is shown with the files. */
  unlock: open(null, 'whilePaused')
    .input(openInput.extend({ token: challengeToken }))
    .output(z.object({ uniqueId: z.string(), ticket: z.string().nullable() }))
    .mutation(async ({ ctx, input }) => {
      const request = await openRequest(ctx.app, input.uniqueId);
      await requireLetIn(ctx, request, input);
      await takeSolvedBy(ctx, request, input);
      return { uniqueId: request.uniqueId, ticket: await requestTicket(ctx, request) };
    }),

  receive: open(null, 'whilePaused')
    .input(receiveInput)
    .output(receipt)
    .mutation(({ ctx, input }) => receiveFile(ctx, input)),

  /** Whether guests see a file on the wall. */
  approve: creator('images:write')
    .input(approvalInput)
    .output(z.object({ fileId: z.string(), approved: z.boolean() }))
    .mutation(async ({ ctx, input: { uniqueId, ...approval } }) => {
      await approveFile(ctx, { uniqueId, ...approval });
      return approval;
    }),

  wall: open(null)
    .input(wallInput)
    .output(wallPage)
    .query(({ ctx, input }) => showWall(ctx, input)),

  wallPicture: open(null)
    .input(wallPictureInput)
    .output(delivery)
    .query(({ ctx, input }) => wallPicture(ctx, input)),

  takeBack: open(null, 'whilePaused')
    .input(takeBackInput)
    .output(z.object({ uniqueId: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await takeBack(ctx, input);
      return { uniqueId: input.uniqueId };
    }),
});
