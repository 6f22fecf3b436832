import { deleteContent } from '../../db/content-change.js';
import { lockImage } from '../../db/image.js';
import { releaseBlobs, removeUnnamed } from '../blobs.js';
import type { Services } from '../context.js';
import { found } from '../errors.js';
import { emit } from '../webhook/emit.js';
import { imageItem } from '../webhook/events.js';

/** Removes an image and its bytes, unless another item has the same ones; 404 when it is gone already. */
export async function deleteImage(app: Services, image: { readonly id: number }): Promise<void> {
  const { unnamed, told } = await app.db.write(async (trx) => {
    const gone = found(await lockImage(app.db, trx, image.id));
    const { sha256, posterSha256 } = gone;
    // Blobs before counters, as uploads have it: in the other order both would wait for each other.
    const unnamed = await releaseBlobs(trx, posterSha256 === null ? [sha256] : [sha256, posterSha256]);
    await deleteContent(trx, 'image', image.id);
    const told = await emit(app, trx, gone.ownerId, 'image.deleted', imageItem(app, gone));
    return { unnamed, told };
  });
  if (told) app.jobs.kick();
  await removeUnnamed(app, unnamed);
}
