import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { ContentRow } from './content.js';
import { KIND_STORAGE, type Kind } from './kinds.js';
import { KEPT, UNEXPIRED, UNQUARANTINED } from './life.js';

/** SQL condition: an item of the kind is neither over nor gone at a moment, which is passed as a bound value. */
export const unendedAt = (kind: Kind): string =>
  `${UNEXPIRED} AND ${KIND_STORAGE[kind].left} AND ${KEPT}
   AND owner_id NOT IN ${DELETED_USERS}`;

/** As `unendedAt`, and it is not in quarantine either. */
export const livingAt = (kind: Kind): string => `${UNQUARANTINED} AND ${unendedAt(kind)}`;

/**
 * Rows of a kind with these ids (lower case) and their owner's name, in the requested order; null for unknown
 * ids, and for items of deleted accounts and in the trash. Expired and used-up items are included. A former id finds its item.
 */
export async function rowsByIds<R extends ContentRow>(
  db: Db,
  kind: Kind,
  keys: readonly string[],
  columns = 'c.*',
): Promise<((R & { owner_name: string }) | null)[]> {
  const { table } = KIND_STORAGE[kind];
  const found = await query<R & { owner_name: string }>(
    db.read,
    `SELECT ${columns}, u.username AS owner_name FROM ${table} c JOIN users u ON u.id = c.owner_id
     WHERE ${db.dialect.inStrings('c.lookup_id')} AND c.${KEPT} AND u.role <> 'DELETED'`,
    [JSON.stringify(keys)],
  );
  const map = new Map(found.map((row) => [row.lookup_id, row]));
  const missing = keys.filter((key) => !map.has(key));
  // Only now, so that an item under its own id costs nothing more. Former ids are never given up, so that no change
  // between the two statements makes an item unfindable.
  if (missing.length > 0) {
    const former = await query<R & { owner_name: string; former_id: string }>(
      db.read,
      `SELECT ${columns}, u.username AS owner_name, a.lookup_id AS former_id
       FROM item_aliases a JOIN ${table} c ON c.id = a.item_id JOIN users u ON u.id = c.owner_id
       WHERE a.kind = ? AND ${db.dialect.inStrings('a.lookup_id')} AND c.${KEPT} AND u.role <> 'DELETED'`,
      [kind, JSON.stringify(missing)],
    );
    for (const row of former) map.set(row.former_id, row);
  }
  return keys.map((key) => map.get(key) ?? null);
}
