import type { Collection } from '../../../db/content/collection/collection.js';
import { itemIds } from '../../../db/content/collection/collection-item.js';
import { lockCondemnedCollection, trashCollection } from '../../../db/content/collection/collection-trash.js';
import { deleteCollection } from '../../../db/content/collection/removal.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { fail } from '../../base/errors.js';
import type { Services } from '../../core/context.js';
import { type Discarding, isForTrash } from '../../core/items/discard.js';
import { announceImageRemovals, type Deleted, deleteImages, finishDeletion } from '../image/public.js';

/** Files deleted in one transaction. A pack rarely has more; a larger one loses its files in several steps. */
const BATCH = 100;

interface Step {
  readonly deleted: Deleted;
  readonly isLast: boolean;
}

/** How a collection is deleted, and what is noted in the same transaction. */
interface CollectionDiscarding extends Discarding {
  note?(trx: Queryable): Promise<void>;
}

/**
 * Deletes a collection as `discard` does an item; its files stay, except for those of a pack. 404 if it is already gone.
 * One that is deleted for good can no longer be restored from the first step on, and what is interrupted goes on with
 * the next cleaning.
 */
export async function discardCollection(
  app: Services,
  collection: Pick<Collection, 'id' | 'face' | 'ownerId'>,
  { note, ...how }: CollectionDiscarding,
): Promise<void> {
  const kept = isForTrash(app, collection, how);
  const announced = await app.db.write((trx) =>
    moveToTrash(app, trx, collection, kept ? Date.now() : 0, async () => note?.(trx)),
  );
  if (announced) app.jobs.kick();
  if (!kept) await purgeCollection(app, collection.id);
}

/**
 * Puts a collection into the trash in a transaction; at 0 nobody can take it out again, even if it was there. True if there is
 * something to deliver.
 */
export async function moveToTrash(
  app: Services,
  trx: Queryable,
  collection: Pick<Collection, 'id' | 'face' | 'ownerId'>,
  at: number,
  note: () => Promise<unknown> = async () => {},
): Promise<boolean> {
  const files = (await trashCollection(app.db, trx, collection, at)) ?? fail('NOT_FOUND');
  await note();
  return announceImageRemovals(app, trx, collection.ownerId, files);
}

/**
 * Deletes a collection that nobody can take out of the trash, a pack with its files; may be called again after it was
 * interrupted.
 */
export async function purgeCollection(app: Services, id: number): Promise<void> {
  for (;;) {
    const step = await app.db.write(async (trx): Promise<Step | null> => {
      const face = await lockCondemnedCollection(app.db, trx, id);
      if (face === null) return null;
      const files = face === 'pack' ? await itemIds(trx, id, true) : [];
      const deleted = await deleteImages(app, trx, files.slice(0, BATCH));
      const isLast = files.length <= BATCH;
      if (isLast) await deleteCollection(trx, id);
      return { deleted, isLast };
    });
    if (step === null) return;
    await finishDeletion(app, step.deleted);
    if (step.isLast) return;
  }
}
