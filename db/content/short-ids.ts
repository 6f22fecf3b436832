import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import { livingAt } from './content.js';
import { KIND_STORAGE, KINDS, type Kind } from './kinds.js';

/** An item with a short id that is neither expired nor used up. */
export interface ShortIdHolder {
  readonly kind: Kind;
  readonly lookupId: string;
  readonly createdAt: number;
}

/** The living items with these ids (lower case), oldest first. */
export async function shortIdHolders(
  db: Db,
  queryable: Queryable,
  keys: readonly string[],
  at: number,
): Promise<ShortIdHolder[]> {
  const parts = KINDS.map(
    (kind) =>
      `SELECT '${kind}' AS kind, lookup_id, created_at FROM ${KIND_STORAGE[kind].table}
       WHERE ${db.dialect.inStrings('lookup_id')} AND ${livingAt(kind)}`,
  );
  const list = JSON.stringify(keys);
  const found = await query<{ kind: Kind; lookup_id: string; created_at: number }>(
    queryable,
    `${parts.join(' UNION ALL ')} ORDER BY created_at, kind`,
    KINDS.flatMap(() => [list, at]),
  );
  return found.map((row) => ({ kind: row.kind, lookupId: row.lookup_id, createdAt: row.created_at }));
}
