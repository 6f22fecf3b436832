import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { KIND_STORAGE, type Kind } from '../kinds.js';
import { countTags } from '../tag/tag.js';
import { condemn, restoreItems, trashItems } from '../trash.js';
import { type Collection, type CollectionRow, collectionFromRow, type Face } from './collection.js';
import { itemIds } from './collection-item.js';

/** A collection in the trash, with the bytes of the files that are in it only because of their pack. */
export type TrashedCollection = Collection & { readonly bytes: number };

interface PackRow {
  readonly id: number;
  readonly trashed_at: number | null;
}

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
  return new Map(rows.map((row) => [row.id, { bytes: Number(row.bytes), ...collectionFromRow(row) }]));
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
 * Puts a collection into the trash of its owner, a pack with its files; at 0 it is given up, one in the trash as well. Returns
 * the files that went with it; null if it is gone, there already, or given up.
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
  // Its files went into the trash with it, and none of them comes out again.
  if (put.length === 0) return at === 0 && (await condemn(trx, 'collection', id)) ? [] : null;
  await countTags(db, trx, 'collection', [id], -1);
  if (face !== 'pack') return [];
  const files = await itemIds(trx, id);
  return trashItems(db, trx, 'image', files, at === 0 ? 0 : await ownMoment(trx, id, at));
}

/** The moment at which a pack goes into the trash: not that of a file of it, which would come back with it. */
async function ownMoment(trx: Queryable, id: number, at: number): Promise<number> {
  const [row] = await query<{ last: number | null }>(
    trx,
    `SELECT max(c.trashed_at) AS last FROM collection_items i JOIN images c ON c.id = i.image_id
     WHERE i.collection_id = ? AND c.trashed_at >= ?`,
    [id, at],
  );
  const last = row?.last ?? null;
  if (last === null) return at;
  const own = Number(last) + 1;
  await query(trx, 'UPDATE collections SET trashed_at = ? WHERE id = ?', [own, id]);
  return own;
}

/**
 * Takes an item out of the trash that is there by itself; false if it is not. A file of a pack that is there as well brings
 * the pack back, whose other files stay in the trash, each by itself from then on.
 */
export async function restoreItem(db: Db, trx: Queryable, kind: Kind, id: number): Promise<boolean> {
  // Locked before the file moves: no pack goes into the trash while a file of it comes out.
  const pack = KIND_STORAGE[kind].onlyWith === null ? null : await lockPackOf(db, trx, id);
  if ((await restoreItems(db, trx, kind, [id])).length === 0) return false;
  if (pack !== null && pack.trashed_at !== null) await takeOut(db, trx, pack.id);
  return true;
}

async function lockPackOf(db: Db, trx: Queryable, imageId: number): Promise<PackRow | null> {
  const [row] = await query<PackRow>(
    trx,
    `SELECT id, trashed_at FROM collections WHERE id IN (
       SELECT collection_id FROM collection_items WHERE image_id = ? AND address IS NOT NULL) ${db.dialect.forUpdate}`,
    [imageId],
  );
  return row ?? null;
}

async function takeOut(db: Db, trx: Queryable, id: number): Promise<void> {
  await query(trx, 'UPDATE collections SET trashed_at = NULL WHERE id = ?', [id]);
  await countTags(db, trx, 'collection', [id], 1);
}

/** Takes a collection out of the trash, with the files that went into it together with their pack; false if it is not in it. */
export async function restoreCollection(db: Db, trx: Queryable, id: number): Promise<boolean> {
  const [row] = await query<{ face: Face; trashed_at: number }>(
    trx,
    `SELECT face, trashed_at FROM collections WHERE id = ? AND trashed_at > 0 ${db.dialect.forUpdate}`,
    [id],
  );
  if (row === undefined) return false;
  await takeOut(db, trx, id);
  if (row.face === 'pack')
    await restoreItems(db, trx, 'image', await itemIds(trx, id, true), Number(row.trashed_at));
  return true;
}

/** Locks a collection that nobody can take out of the trash until the commit and says what it was made as; null for others. */
export async function lockCondemnedCollection(db: Db, trx: Queryable, id: number): Promise<Face | null> {
  const [row] = await query<{ face: Face }>(
    trx,
    `SELECT face FROM collections WHERE id = ? AND trashed_at = 0 ${db.dialect.forUpdate}`,
    [id],
  );
  return row?.face ?? null;
}

/** The collection with this row id, one in the trash as well; null if it is gone or nobody can take it out. */
export async function collectionAnywhere(db: Queryable, id: number): Promise<Collection | null> {
  const [row] = await query<CollectionRow>(
    db,
    'SELECT * FROM collections WHERE id = ? AND (trashed_at IS NULL OR trashed_at > 0)',
    [id],
  );
  return row === undefined ? null : collectionFromRow(row);
}
