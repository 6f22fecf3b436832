import { z } from 'zod';
import { type Image, type ImageRow, imageFromRow } from '../../../db/content/file/image.js';
import { reservationById } from '../../../db/content/upload/reservation.js';
import { fail, found } from '../../base/errors.js';
import { changedExpiryInput } from '../../base/text/dates.js';
import { shownTo } from '../../core/access.js';
import type { AccountContext } from '../../core/context.js';
import { changeItem } from '../../core/items/change.js';
import { displayName } from '../../core/items/file-names.js';
import { fileIdInput, uniqueIdInput } from '../../core/items/ids.js';
import { changedPasswordInput } from '../../core/items/item-password.js';
import { ifMatchInput } from '../../core/items/revision.js';
import { changedSeal, clearInput, refuseSaid } from '../../core/items/seal.js';
import { tagsInput } from '../../core/items/tags.js';
import { requireAllowed } from '../../core/policies.js';
import { notifyInput } from '../../core/telling/input.js';
import { imageItem } from '../../core/webhook/events.js';
import { type ImageRecord, toImageRecord } from './record.js';
import { maxViewsInput } from './upload/upload.js';
import { wordsAfter } from './words.js';

/** The fields of an image that its owner can change; absent ones stay, null and "" clear. */
export const imageChangeInput = z.object({
  ...clearInput,
  uniqueId: uniqueIdInput,
  ifMatch: ifMatchInput,
  newId: fileIdInput,
  desc: z.string().trim().max(200, 'a description can have at most 200 characters').nullish(),
  originalName: z.string().max(255, 'a name can have at most 255 characters').nullish(),
  private: z.boolean().nullish(),
  password: changedPasswordInput.optional(),
  expiresAt: changedExpiryInput,
  maxViews: maxViewsInput,
  tags: tagsInput.optional(),
  favourite: z.boolean().nullish(),
  notify: notifyInput,
  sealedName: z.string().max(100_000).nullish(),
});
type ImageChange = z.output<typeof imageChangeInput>;

/** Changes an image of the caller and returns its record. */
export async function changeImage(
  ctx: AccountContext,
  { uniqueId, newId, ...change }: ImageChange,
): Promise<ImageRecord> {
  const image = found(await ctx.app.load.image(uniqueId));
  requireAllowed(ctx.account, 'change', 'image', image);
  return applied(ctx, image, { ...change, uniqueId: newId });
}

/** Sets or removes the password of an image of the caller, or of any for administrators. */
export async function changeImagePassword(
  ctx: AccountContext,
  uniqueId: string,
  password: string | null,
): Promise<ImageRecord> {
  const image = found(await ctx.app.load.image(uniqueId));
  requireAllowed(ctx.account, 'changePassword', 'image', image);
  return applied(ctx, image, { password });
}

type Change = Partial<Omit<ImageChange, 'uniqueId' | 'newId'>> & { readonly uniqueId?: string | null };

async function applied(ctx: AccountContext, image: Image, change: Change): Promise<ImageRecord> {
  const { desc, originalName, maxViews, sealedName } = change;
  refuseSaid(image.seal, change);
  const changed = await changeItem<ImageRow, Image>(ctx, image, change, {
    kind: 'image',
    event: 'image.updated',
    fromRow: imageFromRow,
    eventItem: imageItem,
    own: () => ({
      description: desc === undefined ? undefined : desc || null,
      original_name: originalName === undefined ? undefined : displayName(originalName),
      max_views: maxViews,
      seal: changedSeal(image.seal, sealedName),
    }),
    after: (trx, before, now) => wordsAfter(ctx.app, trx, imageFromRow(before), imageFromRow(now)),
    // An upload address may have been reserved under the id.
    before: async (trx, _row, columns) => {
      const id = columns.lookup_id;
      if (typeof id === 'string' && (await reservationById(trx, id.toUpperCase())) !== null) fail('ID_TAKEN');
    },
  });
  return toImageRecord(ctx.app, changed, { access: true, ...(await shownTo(ctx, 'image', changed)) });
}
