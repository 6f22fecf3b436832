import { z } from 'zod';
import { itemOfCollection } from '../../../db/content/collection/collection-item.js';
import { lookupId } from '../../../db/content/content.js';
import { fail, found } from '../../base/errors.js';
import { transferInput } from '../../base/transfer.js';
import { isOpen } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { showsLess } from '../../core/sharing/enter.js';
import { type ContentDelivery, deliver, formFor, renditionInput } from '../image/public.js';
import type { Entered } from './enter.js';
import { seen } from './files.js';

/** Which bytes of a file of a collection are wanted. */
export const fileInput = {
  fileId: uniqueIdInput,
  download: z.boolean().default(false),
  /** The poster of a video instead of the video. */
  poster: z.boolean().default(false),
  transfer: transferInput,
  ...renditionInput,
};
type FileInput = z.output<z.ZodObject<typeof fileInput>>;

/** The bytes of a file of a collection that the caller has opened; 404 if the caller may not see it, 403 if it is locked. */
export async function fileOfCollection(
  ctx: Context,
  entered: Entered,
  input: FileInput,
): Promise<ContentDelivery> {
  const { collection } = entered;
  const item = found(await itemOfCollection(ctx.app.db.read, collection.id, lookupId(input.fileId)));
  const { access } = found(seen(item, entered));
  if (!access) fail('PASSWORD_REQUIRED');
  const { image } = item;
  const form = await formFor(ctx, image, input, showsLess(entered.by));
  // Whoever may see it by its own address may share the bytes with others.
  const open = entered.way === 'open' && isOpen(image) && isOpen(collection);
  return deliver(ctx, image, open ? 'public' : 'password', input, form);
}
