import { type Collection, lockCollection } from '../../../db/content/collection/collection.js';
import { itemAtAddress, itemIds } from '../../../db/content/collection/collection-item.js';
import { hasItemsInTrash } from '../../../db/content/collection/collection-trash.js';
import { lookupId } from '../../../db/content/content.js';
import { trashItems } from '../../../db/content/trash.js';
import { fail } from '../../base/errors.js';
import { audit } from '../../core/audit.js';
import type { AccountContext } from '../../core/context.js';
import { isForTrash } from '../../core/items/discard.js';
import { discardCollection, moveToTrash, purgeCollection } from '../collection/public.js';
import { announceImageRemovals, type Deleted, deleteImages, finishDeletion } from '../image/public.js';
import { controlledPack } from './open.js';

/** Nothing is deleted yet. */
const NOTHING: Deleted = { images: [], unreferenced: [], announced: false };

/** Whether what is deleted skips the trash. */
interface Removal {
  readonly packId: string;
  readonly permanent?: boolean | null | undefined;
}

/** Deletes a pack with its files, for its owner and moderators. */
export async function deletePack(ctx: AccountContext, { packId, permanent }: Removal): Promise<Collection> {
  const pack = await controlledPack(ctx, packId, 'You do not have permission to delete this pack');
  await discardCollection(ctx.app, pack, {
    by: ctx.account,
    permanent,
    note: (trx) => audit(ctx, trx, 'pack.deleted', { subject: pack.ownerId }),
  });
  return pack;
}

/**
 * Deletes a file of a pack, for its owner and moderators; with the last file the pack goes, too. Files of it that are in
 * the trash stay there, and so their pack goes into the trash as well if its last file is deleted for good.
 */
export async function deletePackFile(
  ctx: AccountContext,
  { packId, filename, permanent }: Removal & { readonly filename: string },
): Promise<Collection> {
  const { app } = ctx;
  const pack = await controlledPack(ctx, packId, 'You do not have permission to delete files from this pack');
  const kept = isForTrash(app, pack, { by: ctx.account, permanent });
  const done = await app.db.write(async (trx) => {
    await lockCollection(app.db, trx, lookupId(pack.uniqueId));
    const there = await itemAtAddress(trx, filename);
    if (there === null || there.pack.id !== pack.id) fail('PACK_FILE_NOT_FOUND');
    const { id } = there.item.image;
    const isLast = (await itemIds(trx, pack.id)).length === 1;
    const isEnd = isLast && !kept && !(await hasItemsInTrash(trx, pack.id));
    if (kept && !isLast) await trashItems(app.db, trx, 'image', [id], Date.now());
    const deleted = kept || isEnd ? NOTHING : await deleteImages(app, trx, [id]);
    const announced = isLast
      ? await moveToTrash(app, trx, pack, isEnd ? 0 : Date.now())
      : kept && (await announceImageRemovals(app, trx, pack.ownerId, [id]));
    return { deleted: { ...deleted, announced: deleted.announced || announced }, isEnd };
  });
  await finishDeletion(app, done.deleted);
  if (done.isEnd) await purgeCollection(app, pack.id);
  return pack;
}
