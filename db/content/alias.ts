import type { Db } from '../engine/connect.js';
import { dialectOf, IdHeld } from '../engine/dialect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { itemKey, itemKeyRows, type Kind, type OwnedKind } from './kinds.js';

/** Former ids that an item can have. */
export const MAX_ALIASES = 10;

/** The id of an item that gets another one. */
interface FormerId {
  readonly itemId: number;
  readonly uniqueId: string;
  readonly lookupId: string;
  /** Since when the item has it, epoch milliseconds. */
  readonly since: number;
}

/**
 * `IdHeld` if an id, given in its lookup form with the row id of its item, is a former one of another item. Call it in the
 * transaction that gives the ids, after the unique index has: whoever gives an id up keeps it as a former one in the same
 * transaction, so that one of the two refuses.
 */
export async function requireNotHeld(
  trx: Queryable,
  kind: Kind,
  items: ReadonlyMap<string, number>,
): Promise<void> {
  const held = await query<{ lookup_id: string; item_id: number }>(
    trx,
    `SELECT lookup_id, item_id FROM item_aliases WHERE kind = ? AND ${dialectOf(trx).inStrings('lookup_id')}`,
    [kind, JSON.stringify([...items.keys()])],
  );
  if (held.some(({ lookup_id, item_id }) => items.get(lookup_id) !== item_id)) throw new IdHeld();
}

/** Keeps the former id of an item. An item may go back to it, and then keeps the row. */
export async function keepAlias(trx: Queryable, kind: Kind, former: FormerId): Promise<void> {
  await query(
    trx,
    `INSERT INTO item_aliases (kind, lookup_id, unique_id, item_id, held_since) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (kind, lookup_id) DO UPDATE SET unique_id = excluded.unique_id`,
    [kind, former.lookupId, former.uniqueId, former.itemId, former.since],
  );
}

/** Since when an item has had an id, if it is one of its former ones; null otherwise. */
export async function aliasSince(
  trx: Queryable,
  kind: Kind,
  lookupId: string,
  itemId: number,
): Promise<number | null> {
  const [row] = await query<{ held_since: number }>(
    trx,
    'SELECT held_since FROM item_aliases WHERE kind = ? AND lookup_id = ? AND item_id = ?',
    [kind, lookupId, itemId],
  );
  return row?.held_since ?? null;
}

/** How many ids an item has had, its present one (`lookupId`) not counted. */
export async function countAliases(
  trx: Queryable,
  kind: Kind,
  itemId: number,
  lookupId: string,
): Promise<number> {
  const [row] = await query<{ n: number }>(
    trx,
    'SELECT count(*) AS n FROM item_aliases WHERE kind = ? AND item_id = ? AND lookup_id <> ?',
    [kind, itemId, lookupId],
  );
  return row?.n ?? 0;
}

/** The former ids of items by `itemKey`, the first one first; items without any are missing. */
export async function aliasesOfItems(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = db.dialect.rowsOf('asked', { kind: 'text', id: 'bigint' });
  const found = await query<{ kind: Kind; item_id: number; unique_id: string }>(
    db.read,
    `SELECT a.kind, a.item_id, a.unique_id FROM ${asked}
     JOIN item_aliases a ON a.kind = asked.kind AND a.item_id = asked.id ORDER BY a.held_since, a.lookup_id`,
    [itemKeyRows(keys)],
  );
  const byItem = new Map<string, string[]>();
  for (const { kind, item_id, unique_id } of found) {
    const key = itemKey(kind, item_id);
    byItem.set(key, [...(byItem.get(key) ?? []), unique_id]);
  }
  return byItem;
}

/** Gives up the former ids of an item that is deleted, and the addresses that it had in another product. */
export async function deleteAliases(trx: Queryable, kind: OwnedKind, itemId: number): Promise<void> {
  for (const table of ['item_aliases', 'old_addresses'])
    await query(trx, `DELETE FROM ${table} WHERE kind = ? AND item_id = ?`, [kind, itemId]);
}
