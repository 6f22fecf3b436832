import { deleteContent } from '../../db/content.js';
import type { Image } from '../../db/image.js';
import { releaseBlobs, removeUnnamed } from '../blobs.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';

/** Removes an image and its bytes, unless another item has the same ones; 404 when it is gone already. */
export async function deleteImage(app: Services, image: Image): Promise<void> {
  const hashes = [image.sha256, ...(image.posterSha256 === null ? [] : [image.posterSha256])];
  const deleted = await app.db.write(async (trx) => {
    if (!(await deleteContent(trx, 'image', image.id))) return false;
    await releaseBlobs(trx, hashes);
    return true;
  });
  if (!deleted) fail('NOT_FOUND');
  await removeUnnamed(app, hashes);
}
