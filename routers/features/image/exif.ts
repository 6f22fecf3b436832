import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import { type Exif, MediaBusy } from '../../base/ports/media/media.js';
import { BlobMissing } from '../../base/ports/storage.js';
import type { Services } from '../../core/context.js';
import { imageRecord } from './record.js';

/** Larger pictures are not fetched from a store for what they say beside their pixels, in bytes. */
const MAX_SIZE = 64 * 1024 * 1024;

/** The record as its owner asks for it, with what is left of EXIF; null for others, and for what has none. */
export const imageInfo = imageRecord.extend({
  exif: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.number()).readonly()])).nullable(),
});

/** What is left of EXIF in a picture; null if nothing is, or if that cannot be told now. */
export async function exifOf(app: Services, image: Image): Promise<Exif | null> {
  if (image.mediaKind !== 'image' || image.seal !== null || image.size > MAX_SIZE) return null;
  try {
    return await app.limits.originals(() =>
      app.storage.blobs.lend(image.sha256, (path) => app.media.exif(path)),
    );
  } catch (error) {
    if (error instanceof MediaBusy || error instanceof BlobMissing) return null;
    throw error;
  }
}
