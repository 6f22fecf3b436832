import type { Kind } from '../db/content.js';
import type { Services } from './context.js';
import { deleteImage } from './image/delete.js';
import { deletePaste } from './paste/delete.js';
import { deleteUrl } from './url/delete.js';

type Remove = (app: Services, item: { readonly id: number }) => Promise<void>;

/** Removes an item of each kind with all that belongs to it; 404 when it is gone already. */
export const removeItem: Readonly<Record<Kind, Remove>> = {
  image: deleteImage,
  paste: deletePaste,
  url: deleteUrl,
};
