import type { Kind } from '../../db/content/kinds.js';
import type { Services } from '../context.js';
import { deleteImage } from '../image/delete.js';
import { deletePaste } from '../paste/delete.js';
import { deleteUrl } from '../url/delete.js';

type Remove = (app: Services, item: { readonly id: number }) => Promise<void>;

/** Deletes an item of each kind and everything that belongs to it; 404 if it is already gone. */
export const removeItem: Readonly<Record<Kind, Remove>> = {
  image: deleteImage,
  paste: deletePaste,
  url: deleteUrl,
};
