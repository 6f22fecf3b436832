import { z } from 'zod';
import { lookupId } from '../../../db/content/content.js';
import { rule } from '../../base/language/rules.js';
import { permanentInput } from '../../core/items/discard.js';
import { collectionIdInput, uniqueIdInput } from '../../core/items/ids.js';
import { description, title } from '../collection/public.js';

/** Maximum number of images in one playlist. */
export const MAX_ITEMS = 1_000;

const imagesUids = z
  .array(uniqueIdInput)
  .max(MAX_ITEMS, rule('a playlist can have at most {max} images', { max: MAX_ITEMS }))
  .refine((ids) => new Set(ids.map(lookupId)).size === ids.length, 'an image is listed twice');

/** Title and description of a playlist; "" means none. */
export const wordsInput = {
  title: title.or(z.literal('')).nullish(),
  description: description.nullish(),
};

/** A playlist by its id. */
export const identifierInput = z.object({ identifier: uniqueIdInput });

/** Fields of a new playlist. */
export const createInput = z.object({
  uniqueId: collectionIdInput,
  imagesUids: imagesUids.nullish(),
  ...wordsInput,
});

/** The files that a playlist is to have. */
export const putImagesInput = identifierInput.extend({ imagesUids, ...wordsInput });

/** The files of a playlist in their new order. */
export const orderInput = identifierInput.extend({ imagesUids });

/** Changes of a playlist; absent keeps. */
export const changeInput = identifierInput.extend({
  ...wordsInput,
  cover: uniqueIdInput.or(z.literal('')).nullish(),
});

/** A playlist to be deleted. */
export const removalInput = identifierInput.extend(permanentInput);

/** A file of a playlist. */
export const itemInput = identifierInput.extend({ imageUid: uniqueIdInput });
