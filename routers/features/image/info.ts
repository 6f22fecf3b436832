import { z } from 'zod';
import type { Image } from '../../../db/content/file/image.js';
import { type Exif, MediaBusy } from '../../base/ports/media/media.js';
import { BlobMissing, BlobStoreUnavailable } from '../../base/ports/storage.js';
import { within } from '../../base/text/within.js';
import { accessOrNull, isOpen, shownTo } from '../../core/access.js';
import type { Context, Services } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { isFromPortal } from '../../core/portal.js';
import { findImage } from './content.js';
import { pictureWords, wordsOfPicture } from './picture-words.js';
import { imageRecord, toImageRecord } from './record.js';

/** Larger pictures are not fetched from a store for what they say beside their pixels, in bytes. */
const MAX_SIZE = 64 * 1024 * 1024;
/** The record does not wait longer for it: a store may be silent. */
const PATIENCE_MS = 2_000;

/** What is left of EXIF in a picture; null if nothing is, or if that cannot be told now. */
async function exifOf(app: Services, image: Image): Promise<Exif | null> {
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

/** An image, and whether its owner asks for what its bytes say beside their pixels, and in them. */
export const infoInput = z.object({
  uniqueId: uniqueIdInput,
  password: shownPasswordInput,
  exif: z.boolean().nullish(),
  words: z.boolean().nullish(),
});

/**
 * The record, with what is left of EXIF and the words in the picture if its owner asks for that; null for others, and for
 * what has none.
 */
export const imageInfo = imageRecord.extend({
  exif: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.number()).readonly()])).nullable(),
  words: pictureWords.nullable(),
});

/** What is known of an image; blank where the caller has no access. */
export async function describeInfo(
  ctx: Context,
  input: z.output<typeof infoInput>,
): Promise<z.output<typeof imageInfo>> {
  const { app } = ctx;
  const image = await findImage(ctx, input.uniqueId);
  const access = (await accessOrNull(ctx, 'image', image, input.password)) !== null;
  const shown = await shownTo(ctx, 'image', image);
  const record = {
    ...(await toImageRecord(app, image, { access, ...shown })),
    exif: shown.own && input.exif ? await exifOf(app, image) : null,
    words: shown.own && input.words ? await wordsOfPicture(app, image) : null,
  };
  // A portal would look for what is not open in its own folder; from elsewhere it loads it with its visitor's rights.
  return isFromPortal(ctx) && !isOpen(image) ? { ...record, location: 'S3' } : record;
}
