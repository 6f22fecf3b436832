import { deleteContent } from '../../db/content/content-change.js';
import { lockImage } from '../../db/content/image.js';
import type { Services } from '../context.js';
import { found } from '../errors.js';
import { releaseBlobs, removeUnreferenced } from '../shared/blobs.js';
import { emit } from '../webhook/emit.js';
import { imageItem } from '../webhook/events.js';

/** Deletes an image, and its bytes unless another item references them; 404 if it is already gone. */
export async function deleteImage(app: Services, image: { readonly id: number }): Promise<void> {
  const { unreferenced, told } = await app.db.write(async (trx) => {
    const gone = found(await lockImage(app.db, trx, image.id));
    const { sha256, posterSha256 } = gone;
    // Blobs before counters, as uploads do; the opposite order could deadlock.
    const unreferenced = await releaseBlobs(trx, posterSha256 === null ? [sha256] : [sha256, posterSha256]);
    await deleteContent(trx, 'image', image.id);
    const told = await emit(app, trx, gone.ownerId, 'image.deleted', imageItem(app, gone));
    return { unreferenced, told };
  });
  if (told) app.jobs.kick();
  await removeUnreferenced(app, unreferenced);
}
