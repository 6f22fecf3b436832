import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { OWNED_KINDS, type OwnedKind, tableOf } from '../kinds.js';
import { KEPT } from '../life.js';
import { tagKey } from './new-tags.js';

/** Gives a tag another name; violates a unique index if the account has a tag of that name. */
export async function renameTag(trx: Queryable, tagId: number, name: string): Promise<void> {
  await query(trx, 'UPDATE tags SET tag_key = ?, name = ? WHERE id = ?', [tagKey(name), name, tagId]);
}

/** SQL condition on `item_tags a`: what has the tag is counted. */
const IS_COUNTED = OWNED_KINDS.map(
  (kind) =>
    `a.kind = '${kind}' AND EXISTS (SELECT 1 FROM ${tableOf(kind)} c WHERE c.id = a.item_id AND c.${KEPT})`,
).join(' OR ');

/**
 * Takes a locked tag from some of what has it, at most `limit`, and gives it another locked one instead (`into`; null for
 * none); returns from how many.
 */
export async function takeTagFromSome(
  db: Db,
  trx: Queryable,
  tagId: number,
  into: number | null,
  limit: number,
): Promise<number> {
  const some = await query<{ kind: OwnedKind; item_id: number }>(
    trx,
    'SELECT kind, item_id FROM item_tags WHERE tag_id = ? ORDER BY kind, item_id LIMIT ?',
    [tagId, limit],
  );
  const keys = JSON.stringify(some.map(({ kind, item_id }) => [kind, item_id]));
  const isSome = `a.tag_id = ? AND (a.kind, a.item_id) IN (
    SELECT k, i FROM ${db.dialect.rowsOf('s', { k: 'text', i: 'bigint' })})`;
  const hasInto =
    'EXISTS (SELECT 1 FROM item_tags b WHERE b.tag_id = ? AND b.kind = a.kind AND b.item_id = a.item_id)';
  // What has both is counted once, and what is in the trash not at all.
  const [counted] = await query<{ n: number; both: number | null }>(
    trx,
    `SELECT count(*) AS n, sum(CASE WHEN ${hasInto} THEN 1 ELSE 0 END) AS both
     FROM item_tags a WHERE ${isSome} AND (${IS_COUNTED})`,
    [into, tagId, keys],
  );
  const [lost, both] = [Number(counted?.n ?? 0), Number(counted?.both ?? 0)];
  if (into !== null) {
    await query(trx, `DELETE FROM item_tags AS a WHERE ${isSome} AND ${hasInto}`, [tagId, keys, into]);
    // In place: whoever deletes an item at the same moment takes the tag that it has now.
    await query(trx, `UPDATE item_tags AS a SET tag_id = ? WHERE ${isSome}`, [into, tagId, keys]);
    await query(trx, 'UPDATE tags SET items = items + ? WHERE id = ?', [lost - both, into]);
  } else await query(trx, `DELETE FROM item_tags AS a WHERE ${isSome}`, [tagId, keys]);
  await query(trx, 'UPDATE tags SET items = items - ? WHERE id = ?', [lost, tagId]);
  return some.length;
}

/** Forgets a tag that nothing has any more; searches find by its name what another one has now. */
export async function replaceTag(trx: Queryable, from: number, into: number): Promise<void> {
  await query(trx, 'UPDATE merged_tags SET tag_id = ? WHERE tag_id = ?', [into, from]);
  await query(trx, 'INSERT INTO merged_tags (former_id, tag_id) VALUES (?, ?)', [from, into]);
  await deleteTag(trx, from);
}

/** Forgets a tag, and so takes it from everything that has it. */
export async function deleteTag(trx: Queryable, tagId: number): Promise<void> {
  await query(trx, 'DELETE FROM tags WHERE id = ?', [tagId]);
}
