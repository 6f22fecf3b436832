import { deleteContent } from '../../../db/content/content-change.js';
import { type Image, imagesByRowId, lockImage } from '../../../db/content/file/image.js';
import type { Queryable } from '../../../db/engine/queryable.js';
import { DELIVERIES_KEPT, watcherOf } from '../../../db/webhook/webhook-delivery.js';
import { found } from '../../base/errors.js';
import { releaseBlobs, removeUnreferenced } from '../../core/blobs/blobs.js';
import type { Services } from '../../core/context.js';
import { forgetViews } from '../../core/items/forget-views.js';
import { emit, emitEach } from '../../core/webhook/emit.js';
import { imageItem } from '../../core/webhook/events.js';

/** What remains to be done after the commit that deleted images: `finishDeletion`. */
export interface Deleted {
  readonly images: readonly Image[];
  readonly unreferenced: readonly string[];
  readonly announced: boolean;
}

/** Deletes the rows of images in a transaction; those that are already gone are left out. */
export async function deleteImages(app: Services, trx: Queryable, ids: readonly number[]): Promise<Deleted> {
  const images: Image[] = [];
  // In a fixed order, so that two deletions of the same images do not deadlock.
  for (const id of [...ids].sort((a, b) => a - b)) {
    const image = await lockImage(app.db, trx, id);
    if (image !== null) images.push(image);
  }
  // Blobs before counters, as uploads do; the opposite order could deadlock.
  const unreferenced = await releaseBlobs(
    trx,
    images.flatMap(({ sha256, posterSha256 }) => (posterSha256 === null ? [sha256] : [sha256, posterSha256])),
  );
  let announced = false;
  for (const image of images) {
    const deleted = await deleteContent(trx, 'image', image.id);
    await forgetViews(app, trx, 'image', image.id);
    // Of what comes from the trash its owner was told before.
    if (deleted?.wasTrashed !== false) continue;
    announced = (await emit(app, trx, image.ownerId, 'image.deleted', imageItem(app, image))) || announced;
  }
  return { images, unreferenced, announced };
}

/** Delivers the events of a deletion and removes the bytes that nothing references any more. */
export async function finishDeletion(app: Services, { announced, unreferenced }: Deleted): Promise<void> {
  if (announced) app.jobs.kick();
  await removeUnreferenced(app, unreferenced);
}

/** Deletes an image, and its bytes unless another item references them; 404 if it is already gone. */
export async function deleteImage(app: Services, image: { readonly id: number }): Promise<void> {
  const deleted = await app.db.write(async (trx) => {
    const gone = await deleteImages(app, trx, [image.id]);
    found(gone.images[0]);
    return gone;
  });
  await finishDeletion(app, deleted);
}

/** Tells the webhook of their owner that images are in the trash; true if there is something to deliver. */
export async function announceImageRemovals(
  app: Services,
  trx: Queryable,
  ownerId: number,
  ids: readonly number[],
): Promise<boolean> {
  if (ids.length === 0 || (await watcherOf(trx, ownerId)) === null) return false;
  const kept = await imagesByRowId(app.db, trx, ids.slice(-DELIVERIES_KEPT));
  const items = kept.map((image) => imageItem(app, image));
  return emitEach(app, trx, ownerId, 'image.deleted', items);
}
