import { z } from 'zod';
import { lookupId } from '../../../db/content/content.js';
import {
  approveRequestFile,
  deleteRequestFile,
  fileByReceipt,
  type WallFile,
  wallFiles,
} from '../../../db/content/upload/request-file.js';
import { giveBackQuota, requestByKey } from '../../../db/content/upload/upload-request.js';
import { fail, found } from '../../base/errors.js';
import {
  contentPageAsked,
  contentPageInput,
  contentPageOf,
  toContentPage,
  windowOf,
} from '../../base/paging.js';
import { wallTopic } from '../../base/ports/hub.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { transferInput } from '../../base/transfer.js';
import type { AccountContext, Context, Services } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { hashSecret } from '../../core/secrets.js';
import {
  type ContentDelivery,
  deleteImages,
  deliver,
  finishDeletion,
  formFor,
  renditionInput,
} from '../image/public.js';
import { receiptInput, requestInput, ticketInput } from './fields.js';
import { openWall, ownRequest, type WithWall } from './find.js';

/** How long a guest can take back a file, in milliseconds. */
const RETURN_MS = 3_600_000;

const shown = { password: shownPasswordInput, ticket: ticketInput };

/** A wall, and a page of what it shows. */
export const wallInput = requestInput.extend({ ...shown, ...contentPageInput.shape });
/** A picture of a wall. */
export const wallPictureInput = requestInput.extend({
  ...shown,
  fileId: uniqueIdInput,
  transfer: transferInput,
  ...renditionInput,
});
/** A file that came in, and whether guests see it. */
export const approvalInput = requestInput.extend({
  fileId: uniqueIdInput,
  approved: z
    .boolean()
    .optional()
    .transform((value) => value ?? fail('INVALID', 'approved: send true or false')),
});
/** A file, by what its sender got for it. */
export const takeBackInput = requestInput.extend({ receipt: receiptInput });

/** A file on a wall. */
export const wallFile = z.object({
  fileId: z.string(),
  name: z.string(),
  type: z.string(),
  kind: z.string(),
  sender: z.string().nullable(),
  receivedAt: z.iso.datetime(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  /** A picture of at most 1,600 pixels, which takes `width`; null for what is only named. */
  url: z.url().nullable(),
});

/** A page of a wall, newest first. */
export const wallPage = contentPageOf(wallFile).extend({
  title: z.string(),
  message: z.string().nullable(),
  ends: z.iso.datetime().nullable(),
});

const toWallFile = (
  app: Services,
  { uniqueId: request }: Pick<WithWall, 'uniqueId'>,
  { image, sender, receivedAt }: WallFile,
): z.output<typeof wallFile> => ({
  fileId: image.uniqueId,
  name: image.originalName ?? `${image.uniqueId}.${image.type}`,
  type: image.type,
  kind: image.mediaKind,
  sender,
  receivedAt: iso(receivedAt),
  width: image.width,
  height: image.height,
  url:
    image.mediaKind === 'image' || image.posterSha256 !== null
      ? `${app.settings.baseUrl}/request/open/${request}/wall/${image.uniqueId}`
      : null,
});

/** A page of what a wall shows. */
export async function showWall(
  ctx: Context,
  input: z.output<typeof wallInput>,
): Promise<z.output<typeof wallPage>> {
  const { app } = ctx;
  const request = await openWall(ctx, input.uniqueId, input);
  const asked = contentPageAsked(input);
  const query = { requestId: request.id, wall: request.wall, at: Date.now() };
  const { items, total } = await wallFiles(app.db, query, windowOf(asked));
  const files = items.map((file) => toWallFile(app, request, file));
  const { title, message, endsAt } = request;
  return { ...toContentPage(asked, files, total), title, message, ends: isoOrNull(endsAt) };
}

/** A file of a wall, if it is there; null otherwise. For those who have opened the wall. */
export async function onWall(app: Services, request: WithWall, fileId: string) {
  const file = await fileOnWall(app, request, fileId);
  return file === null ? null : toWallFile(app, request, file);
}

async function fileOnWall(app: Services, request: WithWall, fileId: string): Promise<WallFile | null> {
  const query = { requestId: request.id, wall: request.wall, at: Date.now(), itemKey: lookupId(fileId) };
  const { items } = await wallFiles(app.db, query, { limit: 1, offset: 0 });
  return items[0] ?? null;
}

/** A picture of a wall: a rendition or a poster, never the file itself; 404 for what the wall does not show. */
export async function wallPicture(
  ctx: Context,
  input: z.output<typeof wallPictureInput>,
): Promise<ContentDelivery> {
  const request = await openWall(ctx, input.uniqueId, input);
  found(await fileOnWall(ctx.app, request, input.fileId));
  const image = found(await ctx.app.load.image(input.fileId));
  const poster = image.mediaKind !== 'image';
  const form = await formFor(ctx, image, { ...input, poster }, true);
  return deliver(ctx, image, 'password', { download: false, transfer: input.transfer }, form);
}

/** Lets a file of a request of the caller through to its wall, or no longer. */
export async function approveFile(
  ctx: AccountContext,
  { uniqueId, fileId, approved }: z.output<typeof approvalInput>,
): Promise<void> {
  const { app } = ctx;
  const request = await ownRequest(ctx, uniqueId);
  const image = found(await app.load.image(fileId));
  if (!(await app.db.write((trx) => approveRequestFile(trx, request.id, image.id, approved))))
    fail('NOT_FOUND');
  app.hub.publish(wallTopic(request.id), { fileId: image.uniqueId });
}

/**
 * Deletes a file for good, for the guest who sent it within the last hour, and gives its room back. 404 for any other
 * receipt.
 */
export async function takeBack(
  { app, ...ctx }: Context,
  { uniqueId, receipt }: z.output<typeof takeBackInput>,
): Promise<void> {
  await app.limits.rates.take('guest', ctx.network());
  const request = found(await requestByKey(app.db.read, lookupId(uniqueId)));
  const file = found(await fileByReceipt(app.db.read, request.id, hashSecret(receipt)));
  if (file.receivedAt < Date.now() - RETURN_MS) fail('NOT_FOUND');
  const deleted = await app.db.write(async (trx) => {
    if (!(await deleteRequestFile(trx, file.id))) fail('NOT_FOUND');
    await giveBackQuota(trx, request.id, file.size);
    return deleteImages(app, trx, file.imageId === null ? [] : [file.imageId]);
  });
  await finishDeletion(app, deleted);
  if (file.itemId !== null) app.hub.publish(wallTopic(request.id), { fileId: file.itemId });
}
