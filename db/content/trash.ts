import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { type CountedRow, countedColumns, countedFromRow } from './content-change.js';
import { countBinned } from './content-days.js';
import { KIND_STORAGE, type Kind, OWNED_KINDS, type OwnedKind, tableOf } from './kinds.js';
import { countTags } from './tag/tag.js';

/** SQL condition on the table of a kind: it is in the trash by itself and can be taken out. */
export function inTrash(kind: OwnedKind): string {
  const only = kind === 'collection' ? null : KIND_STORAGE[kind].onlyWith;
  return only === null ? 'trashed_at > 0' : `trashed_at > 0 AND NOT ${only}`;
}

/** Puts items into the trash of their owner: nobody finds them any more. Returns those that were not gone or there already. */
export async function trashItems(
  db: Db,
  trx: Queryable,
  kind: Kind,
  ids: readonly number[],
  at: number,
): Promise<number[]> {
  const rows = await query<CountedRow & { id: number }>(
    trx,
    `UPDATE ${KIND_STORAGE[kind].table} SET trashed_at = ? WHERE ${db.dialect.inNumbers('id')}
     AND trashed_at IS NULL RETURNING id, ${countedColumns(kind)}`,
    [at, JSON.stringify(ids)],
  );
  return moved(db, trx, kind, rows, -1);
}

/**
 * Takes items out of the trash; returns those that were in it by themselves and could be taken out. With `since` those that
 * came into it at that moment, with what they belong to.
 */
export async function restoreItems(
  db: Db,
  trx: Queryable,
  kind: Kind,
  ids: readonly number[],
  since: number | null = null,
): Promise<number[]> {
  const rows = await query<CountedRow & { id: number }>(
    trx,
    `UPDATE ${KIND_STORAGE[kind].table} SET trashed_at = NULL WHERE ${db.dialect.inNumbers('id')}
     AND ${since === null ? inTrash(kind) : 'trashed_at = ?'} RETURNING id, ${countedColumns(kind)}`,
    [JSON.stringify(ids), ...(since === null ? [] : [since])],
  );
  return moved(db, trx, kind, rows, 1);
}

async function moved(
  db: Db,
  trx: Queryable,
  kind: Kind,
  rows: readonly (CountedRow & { readonly id: number })[],
  by: 1 | -1,
): Promise<number[]> {
  const ids = rows.map(({ id }) => id);
  await countBinned(
    trx,
    rows.map((row) => countedFromRow(kind, row)),
    by,
  );
  if (ids.length > 0) await countTags(db, trx, kind, ids, by);
  return ids;
}

/** The row id of something in the trash of an account, by its id or a former one (lower case); null if there is none. */
export async function trashedId(
  db: Queryable,
  ownerId: number,
  kind: OwnedKind,
  lookupId: string,
): Promise<number | null> {
  const table = tableOf(kind);
  const [row] = await query<{ id: number }>(
    db,
    `SELECT id FROM ${table} WHERE owner_id = ? AND ${inTrash(kind)} AND id IN (
       SELECT id FROM ${table} WHERE lookup_id = ?
       UNION ALL SELECT item_id FROM item_aliases WHERE kind = ? AND lookup_id = ?
     )`,
    [ownerId, lookupId, kind, lookupId],
  );
  return row?.id ?? null;
}

/** Gives up everything in the trash of an account: nobody can take it out any more, and `trashedBefore` finds it. */
export async function condemnTrash(
  trx: Queryable,
  ownerId: number,
  kinds: readonly OwnedKind[] = OWNED_KINDS,
): Promise<void> {
  for (const kind of kinds)
    await query(trx, `UPDATE ${tableOf(kind)} SET trashed_at = 0 WHERE owner_id = ? AND trashed_at > 0`, [
      ownerId,
    ]);
}

/** As `condemnTrash`, for one thing; false if it is no longer in the trash. */
export async function condemn(trx: Queryable, kind: OwnedKind, id: number): Promise<boolean> {
  const condemned = await query(
    trx,
    `UPDATE ${tableOf(kind)} SET trashed_at = 0 WHERE id = ? AND ${inTrash(kind)} RETURNING id`,
    [id],
  );
  return condemned.length > 0;
}

/** As `condemnTrash`, for what any account put there at this moment or before, at most `limit`. */
export async function condemnBefore(
  trx: Queryable,
  kind: OwnedKind,
  at: number,
  limit: number,
): Promise<void> {
  const table = tableOf(kind);
  await query(
    trx,
    `UPDATE ${table} SET trashed_at = 0 WHERE trashed_at > 0 AND id IN (
       SELECT id FROM ${table} WHERE trashed_at > 0 AND trashed_at <= ? ORDER BY trashed_at LIMIT ?)`,
    [at, limit],
  );
}

/** Row ids of what was put into the trash at this moment or before, at most `limit`; 0 finds what nobody can take out. */
export async function trashedBefore(
  db: Queryable,
  kind: OwnedKind,
  at: number,
  limit: number,
): Promise<number[]> {
  const found = await query<{ id: number }>(
    db,
    `SELECT id FROM ${tableOf(kind)} WHERE trashed_at <= ? ORDER BY trashed_at LIMIT ?`,
    [at, limit],
  );
  return found.map(({ id }) => id);
}
