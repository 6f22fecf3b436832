import type { Image } from '../../../db/content/file/image.js';
import { type Exif, MediaBusy } from '../../base/ports/media/media.js';
import { BlobMissing, BlobStoreUnavailable } from '../../base/ports/storage.js';
import { within } from '../../base/text/within.js';
import type { Services } from '../../core/context.js';

/** Larger pictures are not fetched from a store for what they say beside their pixels, in bytes. */
const MAX_SIZE = 64 * 1024 * 1024;
/** The record does not wait longer for it: a store may be silent. */
const PATIENCE_MS = 2_000;

/** What is left of EXIF in a picture; null if nothing is, or if that cannot be told now. */
export async function exifOf(app: Services, image: Image): Promise<Exif | null> {
  if (image.mediaKind !== 'image' || image.seal !== null || image.size > MAX_SIZE) return null;
  const read = app.limits
    .originals(() => app.storage.blobs.lend(image.sha256, (path) => app.media.exif(path)))
    .catch((error: unknown) => {
      const isAway = [MediaBusy, BlobMissing, BlobStoreUnavailable].some((known) => error instanceof known);
      if (isAway) return null;
      throw error;
    });
  return (await within(PATIENCE_MS, read)) ?? null;
}
