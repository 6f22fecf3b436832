import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { deleteAliases } from '../alias.js';
import { clearTags } from '../tag/tag.js';
import { forgetTold } from '../told/told.js';

/** Deletes a collection; its files stay. False if it was already deleted. */
export async function deleteCollection(trx: Queryable, id: number): Promise<boolean> {
  const [row] = await query<{ trashed_at: number | null }>(
    trx,
    'DELETE FROM collections WHERE id = ? RETURNING trashed_at',
    [id],
  );
  if (row === undefined) return false;
  await deleteAliases(trx, 'collection', id);
  await forgetTold(trx, 'collection', id);
  await clearTags(trx, 'collection', id, row.trashed_at === null);
  return true;
}

/** Deletes some collections of an account, at most `limit`; false if it has none. */
export async function deleteCollectionsOf(trx: Queryable, ownerId: number, limit: number): Promise<boolean> {
  const found = await trx('collections').where('owner_id', ownerId).orderBy('id').limit(limit).pluck('id');
  for (const id of found) await deleteCollection(trx, id);
  return found.length > 0;
}

/** SQL condition: a file pack without files. */
const IS_EMPTY_PACK = `face = 'pack'
  AND NOT EXISTS (SELECT 1 FROM collection_items i WHERE i.collection_id = collections.id)`;

/** Row ids of file packs without files that were made before this moment, at most `limit`: their files were deleted one by one. */
export async function emptyPacks(db: Queryable, before: number, limit: number): Promise<number[]> {
  const found = await query<{ id: number }>(
    db,
    `SELECT id FROM collections WHERE created_at < ? AND ${IS_EMPTY_PACK} ORDER BY id LIMIT ?`,
    [before, limit],
  );
  return found.map(({ id }) => id);
}

/** Deletes those of these packs that are still without files. */
export async function deleteEmptyPacks(db: Db, trx: Queryable, ids: readonly number[]): Promise<void> {
  const empty = await query<{ id: number }>(
    trx,
    `SELECT id FROM collections WHERE ${db.dialect.inNumbers('id')} AND ${IS_EMPTY_PACK} ORDER BY id`,
    [JSON.stringify(ids)],
  );
  for (const { id } of empty) await deleteCollection(trx, id);
}
