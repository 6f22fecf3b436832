import { imageById } from '../../../db/content/file/image.js';
import type { Upload } from '../../../db/content/upload/upload.js';
import type { Context } from '../../core/context.js';
import { toImageRecord } from '../image/public.js';
import { purposeNamed } from './purposes.js';

/** The item that an upload became; null if there is none, or none any more. Guests do not see what they sent. */
export async function imageOf(ctx: Context, { imageId, ownerId, purpose }: Upload) {
  const image = imageId === null ? null : await imageById(ctx.app.db.read, imageId);
  if (image === null) return null;
  const isOwn = (await ctx.caller())?.id === ownerId;
  if (purposeNamed(purpose).isOfGuests && !isOwn) return null;
  return toImageRecord(ctx.app, image, { access: true, creator: isOwn });
}
