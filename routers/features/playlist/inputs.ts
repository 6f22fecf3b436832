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

export const identifierInput = z.object({ identifier: uniqueIdInput });

export const createInput = z.object({
  uniqueId: collectionIdInput,
  imagesUids: imagesUids.nullish(),
  ...wordsInput,
});

export const putImagesInput = identifierInput.extend({ imagesUids, ...wordsInput });

export const orderInput = identifierInput.extend({ imagesUids });

export const changeInput = identifierInput.extend({
  ...wordsInput,
  cover: uniqueIdInput.or(z.literal('')).nullish(),
});

export const removalInput = identifierInput.extend(permanentInput);

export const itemInput = identifierInput.extend({ imageUid: uniqueIdInput });
