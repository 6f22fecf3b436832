import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { unendedAt } from './content-lookup.js';
import { KIND_STORAGE, KINDS, type Kind } from './kinds.js';

/** An item with a short id that is neither expired nor used up. */
interface ShortIdHolder {
  readonly kind: Kind;
  readonly lookupId: string;
  readonly ownerId: number;
  /** Why it is hidden from all but its owner and moderators; null if it is not. */
  readonly quarantine: string | null;
  /** Since when it has the id. */
  readonly since: number;
}

interface Row {
  readonly kind: Kind;
  readonly lookup_id: string;
  readonly owner_id: number;
  readonly since: number;
  readonly quarantine: string | null;
}

/**
 * The items with these ids (lower case) that are neither over nor gone, whoever has had the id longest first; former ids
 * count as ids. Those in quarantine are among them: their owners and moderators still reach them.
 */
export async function shortIdHolders(
  db: Db,
  queryable: Queryable,
  keys: readonly string[],
  at: number,
): Promise<ShortIdHolder[]> {
  const list = JSON.stringify(keys);
  const parts = KINDS.flatMap((kind) => {
    const { table } = KIND_STORAGE[kind];
    return [
      `SELECT '${kind}' AS kind, lookup_id, coalesce(named_at, created_at) AS since, owner_id, quarantine
       FROM ${table}
       WHERE ${db.dialect.inStrings('lookup_id')} AND ${unendedAt(kind)}`,
      `SELECT '${kind}' AS kind, a.lookup_id, a.held_since AS since, ${table}.owner_id, quarantine
       FROM (SELECT * FROM item_aliases WHERE kind = '${kind}' AND ${db.dialect.inStrings('lookup_id')}) a
       JOIN ${table} ON ${table}.id = a.item_id WHERE ${unendedAt(kind)}`,
    ];
  });
  const found = await query<Row>(
    queryable,
    `${parts.join(' UNION ALL ')} ORDER BY since, kind`,
    parts.flatMap(() => [list, at]),
  );
  return found.map(({ kind, lookup_id, owner_id, since, quarantine }) => ({
    kind,
    lookupId: lookup_id,
    ownerId: owner_id,
    since,
    quarantine,
  }));
}
