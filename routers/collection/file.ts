import { z } from 'zod';
import { itemOfCollection, sizeOfCollection } from '../../db/content/collection-item.js';
import { lookupId } from '../../db/content/content.js';
import { isOpen } from '../access.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';
import { type ContentDelivery, posterOf, represent } from '../image/content.js';
import { deliver } from '../image/deliver.js';
import { displayName } from '../image/names.js';
import { renditionInput } from '../image/rendition.js';
import type { ArchiveListing } from '../playlist/archive.js';
import { uniqueIdInput } from '../shared/ids.js';
import { buildAnswer } from '../shared/large-answer.js';
import { transferInput } from '../shared/transfer.js';
import type { Entered } from './enter.js';
import { pathOf, seen, seenItems } from './record.js';

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
  const form = input.poster ? await posterOf(ctx, image) : await represent(ctx, image, input);
  // Whoever may see it by its own address may share the bytes with others.
  const open = entered.way === 'open' && isOpen(image) && isOpen(collection);
  return deliver(ctx, image, open ? 'public' : 'password', input, form);
}

/**
 * The files of a collection that the caller may open without a password. Those with a view limit are left out, because
 * each view must be counted; their owner and moderators get them too.
 */
export async function zipOfCollection(
  ctx: Context,
  entered: Entered,
  filename: string | null = null,
): Promise<ArchiveListing> {
  const size = await sizeOfCollection(ctx.app.db.read, entered.collection.id);
  return buildAnswer(ctx, size * ENTRY_BYTES, () => listFiles(ctx, entered, filename));
}

/** Memory that one file takes in a listing, which is kept until its zip is received. */
const ENTRY_BYTES = 1024;

async function listFiles(ctx: Context, entered: Entered, filename: string | null): Promise<ArchiveListing> {
  const { collection, way } = entered;
  const open = (await seenItems(ctx, entered)).filter(
    ({ item, access }) => access && (way === 'privileged' || item.image.maxViews === null),
  );
  const title = displayName(collection.title.replaceAll(/[/\\]/g, '_'));
  return {
    uniqueId: collection.uniqueId,
    filename: filename ?? `${title ?? collection.uniqueId}.zip`,
    entries: open.map(({ item }) => ({
      name: pathOf(item),
      sha256: item.image.sha256,
      size: item.image.size,
      createdAt: item.image.createdAt,
    })),
  };
}
