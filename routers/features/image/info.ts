import { z } from 'zod';
import { accessOrNull, isOpen, shownTo } from '../../core/access.js';
import type { Context } from '../../core/context.js';
import { uniqueIdInput } from '../../core/items/ids.js';
import { shownPasswordInput } from '../../core/items/item-password.js';
import { isFromPortal } from '../../core/portal.js';
import { findImage } from './content.js';
import { exifOf } from './exif.js';
import { pictureWords, wordsOfPicture } from './picture-words.js';
import { imageRecord, toImageRecord } from './record.js';

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
