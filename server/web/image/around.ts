import { DomainError } from '../../../routers/base/errors.js';
import { tileAnchor } from '../address.js';
import { askedOf, filterOf } from '../library/asked.js';
import { libraryPath, withinLibrary } from '../library/library-page.js';
import { PAGE_SIZE } from '../library/routes.js';
import type { ImageRecord } from '../records.js';
import type { PageRequest } from '../request.js';
import { owns } from '../site.js';
import type { Around } from './viewer.js';

/** The list in the address of an item's page; null for none, or for one that the item is not in. */
export async function aroundOf(request: PageRequest, image: ImageRecord): Promise<Around | null> {
  const { uniqueId } = image;
  const list = request.query.text('in');
  if (list === 'library' && owns(request.site.viewer, image.uploader)) return inLibrary(request, uniqueId);
  return null;
}

async function inLibrary({ call, query, site }: PageRequest, uniqueId: string): Promise<Around | null> {
  const filter = filterOf(query);
  const beside = await unlessRefused(call.library.neighbours({ uniqueId, ...askedOf(filter) }));
  if (beside === null) return null;
  const { previous, next, index, total } = beside;
  const link = (id: string | null) => (id === null ? null : withinLibrary(filter, id));
  return {
    back: `${libraryPath(filter, Math.floor(index / PAGE_SIZE))}#${tileAnchor(uniqueId)}`,
    label: site.i18n.t('Library'),
    previous: link(previous),
    next: link(next),
    index,
    total,
  };
}

/** Null for a list that is refused: the item is shown without it. */
const unlessRefused = <T>(list: Promise<T>): Promise<T | null> =>
  list.catch((error: unknown) => {
    if (error instanceof DomainError) return null;
    throw error;
  });
