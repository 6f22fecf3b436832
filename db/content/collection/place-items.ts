import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';

interface NewCollectionItem {
  readonly imageId: number;
  readonly path?: string | null;
  readonly address?: string | null;
  readonly fileType?: string | null;
}

/** Appends files to a collection; violates its primary key if one is already in it, an index if an address is taken. */
export async function addItems(
  db: Db,
  trx: Queryable,
  collectionId: number,
  items: readonly NewCollectionItem[],
): Promise<void> {
  if (items.length === 0) return;
  const last = await trx('collection_items')
    .where('collection_id', collectionId)
    .max('position as position')
    .first();
  const next = (last?.position ?? -1) + 1;
  const rows = db.dialect.rowsOf('items', {
    image_id: 'bigint',
    position: 'bigint',
    path: 'text',
    address: 'text',
    file_type: 'text',
  });
  await query(
    trx,
    `INSERT INTO collection_items (collection_id, image_id, position, path, address, file_type)
     SELECT CAST(? AS integer), image_id, position, path, address, file_type FROM ${rows}`,
    [
      collectionId,
      JSON.stringify(
        items.map(({ imageId, path = null, address = null, fileType = null }, index) => [
          ...[imageId, next + index, path, address, fileType],
        ]),
      ),
    ],
  );
}

/** Removes these files from a collection and returns how many were in it. */
export async function removeItems(
  db: Db,
  trx: Queryable,
  collectionId: number,
  imageIds: readonly number[],
): Promise<number> {
  const removed = await query(
    trx,
    `DELETE FROM collection_items WHERE collection_id = ? AND ${db.dialect.inNumbers('image_id')}
     RETURNING image_id`,
    [collectionId, JSON.stringify(imageIds)],
  );
  return removed.length;
}

/**
 * Orders the files of a collection as in this list, and places each where the list says; absent paths stay. Only what
 * differs is written. Without a table of its own, SQLite would walk through the whole list for each file.
 */
export async function arrangeItems(
  db: Db,
  trx: Queryable,
  collectionId: number,
  items: readonly NewCollectionItem[],
): Promise<void> {
  const wanted = db.dialect.rowsOf('listed', {
    image_id: 'bigint',
    position: 'bigint',
    placed: 'bigint',
    path: 'text',
  });
  await query(
    trx,
    `WITH wanted AS MATERIALIZED (SELECT * FROM ${wanted})
     UPDATE collection_items SET position = wanted.position,
       path = CASE WHEN wanted.placed = 1 THEN wanted.path ELSE collection_items.path END
     FROM wanted
     WHERE collection_items.collection_id = ? AND collection_items.image_id = wanted.image_id
       AND (collection_items.position <> wanted.position
         OR (wanted.placed = 1 AND collection_items.path IS DISTINCT FROM wanted.path))`,
    [
      JSON.stringify(
        items.map(({ imageId, path }, index) => [imageId, index, path === undefined ? 0 : 1, path ?? null]),
      ),
      collectionId,
    ],
  );
}
