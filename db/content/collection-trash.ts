import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { type Collection, type CollectionRow, collectionFromRow, type Face } from './collection.js';
import { itemIds } from './collection-item.js';
import { countTags } from './tag.js';
import { restoreItems, trashItems } from './trash.js';

/** A collection in the trash, with the bytes of the files that are in it only because of their pack. */
export type TrashedCollection = Collection & { readonly bytes: number };

/** Collections in the trash by row id; those that are gone are missing. */
export async function trashedCollections(
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TrashedCollection>> {
  if (ids.length === 0) return new Map();
  const rows = await query<CollectionRow & { bytes: number }>(
    db.read,
    `SELECT p.*, (SELECT coalesce(sum(c.size), 0) FROM collection_items i JOIN images c ON c.id = i.image_id
       WHERE i.collection_id = p.id AND i.address IS NOT NULL AND c.trashed_at = p.trashed_at) AS bytes
     FROM collections p WHERE ${db.dialect.inNumbers('p.id')} AND p.trashed_at IS NOT NULL`,
    [JSON.stringify(ids)],
  );
  return new Map(rows.map((row) => [row.id, { ...collectionFromRow(row), bytes: Number(row.bytes) }]));
}

/** The files that are in the trash with their pack, by their places in it. */
export async function itemsOfTrashedPack(
  db: Queryable,
  id: number,
): Promise<{ readonly name: string; readonly sha256: string }[]> {
  return query(
    db,
    `SELECT coalesce(i.path, c.original_name, c.unique_id) AS name, c.sha256
     FROM collections p JOIN collection_items i ON i.collection_id = p.id JOIN images c ON c.id = i.image_id
     WHERE p.id = ? AND i.address IS NOT NULL AND c.trashed_at = p.trashed_at ORDER BY i.position`,
    [id],
  );
}

/** Whether a file of a pack is in the trash and can be taken out. */
export async function hasItemsInTrash(trx: Queryable, id: number): Promise<boolean> {
  const found = await query(
    trx,
    `SELECT 1 AS found FROM collection_items i JOIN images c ON c.id = i.image_id
     WHERE i.collection_id = ? AND c.trashed_at > 0 LIMIT 1`,
    [id],
  );
  return found.length > 0;
}

/**
 * Puts a collection into the trash of its owner, a pack with its files. Returns the files that went with it; null if it is
 * gone or there already.
 */
export async function trashCollection(
  db: Db,
  trx: Queryable,
  { id, face }: Pick<Collection, 'id' | 'face'>,
  at: number,
): Promise<number[] | null> {
  const put = await query(
    trx,
    'UPDATE collections SET trashed_at = ? WHERE id = ? AND trashed_at IS NULL RETURNING id',
    [at, id],
  );
  if (put.length === 0) return null;
  await countTags(db, trx, 'collection', [id], -1);
  return face === 'pack' ? trashItems(db, trx, 'image', await itemIds(trx, id), at) : [];
}

/** Takes a collection out of the trash, with the files that went into it together with their pack; false if it is not in it. */
export async function restoreCollection(db: Db, trx: Queryable, id: number): Promise<boolean> {
  const [row] = await query<{ face: Face; trashed_at: number }>(
    trx,
    `SELECT face, trashed_at FROM collections WHERE id = ? AND trashed_at > 0 ${db.dialect.forUpdate}`,
    [id],
  );
  if (row === undefined) return false;
  await query(trx, 'UPDATE collections SET trashed_at = NULL WHERE id = ?', [id]);
  await countTags(db, trx, 'collection', [id], 1);
  if (row.face === 'pack')
    await restoreItems(db, trx, 'image', await itemIds(trx, id, true), Number(row.trashed_at));
  return true;
}

/** Locks a collection in the trash until the commit and says what it was made as; null if it is gone. */
export async function lockTrashedCollection(db: Db, trx: Queryable, id: number): Promise<Face | null> {
  const [row] = await query<{ face: Face }>(
    trx,
    `SELECT face FROM collections WHERE id = ? AND trashed_at IS NOT NULL ${db.dialect.forUpdate}`,
    [id],
  );
  return row?.face ?? null;
}
