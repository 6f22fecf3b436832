import { insertCollection } from '../../../../db/content/collection/collection.js';
import { addItems } from '../../../../db/content/collection/place-items.js';
import { importedAs } from '../../../../db/content/imported.js';
import { fail } from '../../../../routers/base/errors.js';
import { cutText } from '../../../../routers/base/text/cut.js';
import type { Services } from '../../../../routers/core/context.js';
import { MAX_TITLE_LENGTH } from '../../../../routers/features/paste/text.js';
import type { SourceCollection } from '../port.js';
import { common, type Imported, type Insert, inRows, type Place } from './item.js';

/** Collections of files that came before them. */
export const collection: Imported<SourceCollection> = {
  called: 'collections',
  refers: true,
  against: async () => null,
  store: inRows(prepareCollection),
};

async function prepareCollection(app: Services, item: SourceCollection, place: Place): Promise<Insert> {
  const imageIds: number[] = [];
  for (const key of item.files) {
    const id = await importedAs(app.db.read, place.source, key);
    // It could not come, or was deleted here since an earlier import.
    if (id !== null && (await app.db.read('images').where({ id, owner_id: place.ownerId }).first('id')))
      imageIds.push(id);
  }
  if (imageIds.length === 0) fail('INVALID', 'none of its files is here');
  return async (trx, uniqueId) => {
    const collection = await insertCollection(trx, {
      ...common(item, place, uniqueId),
      face: 'collection',
      title: cutText(item.title, MAX_TITLE_LENGTH),
      description: item.description,
      maxViews: item.maxViews,
    });
    if (item.views > 0) await trx('collections').where('id', collection.id).update('views', item.views);
    await addItems(
      app.db,
      trx,
      collection.id,
      imageIds.map((imageId) => ({ imageId })),
    );
    return collection.id;
  };
}
