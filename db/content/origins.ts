import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import { type OwnedKind, tableOf } from './kinds.js';
import { type Reached, walk } from './walk.js';

/** Where something of an account came from: its keys and its addresses in another product. */
interface Origin extends Reached {
  readonly uniqueId: string;
  readonly imported: readonly { readonly source: string; readonly key: string }[];
  readonly addresses: readonly string[];
}

/** What of a kind an account has that came from another product, the oldest first, from behind one on, at most `limit`. */
export async function originsAfter(
  db: Db,
  kind: OwnedKind,
  ownerId: number,
  after: Reached,
  limit: number,
): Promise<Origin[]> {
  const table = tableOf(kind);
  const { from, by, onwards } = walk(db.dialect, kind);
  const found = await query<{ id: number; unique_id: string; walked: number }>(
    db.read,
    `SELECT id, unique_id, ${by} AS walked FROM ${from} WHERE owner_id = ? AND (
       EXISTS (SELECT 1 FROM imported i WHERE i.kind = ? AND i.item_id = ${table}.id)
       OR EXISTS (SELECT 1 FROM old_addresses o WHERE o.kind = ? AND o.item_id = ${table}.id)
     ) AND ${onwards}`,
    [ownerId, kind, kind, after.by, after.id, limit],
  );
  if (found.length === 0) return [];
  const ids = JSON.stringify(found.map(({ id }) => id));
  const [imported, addresses] = await Promise.all([
    query<{ item_id: number; source: string; source_key: string }>(
      db.read,
      `SELECT item_id, source, source_key FROM imported WHERE kind = ? AND ${db.dialect.inNumbers('item_id')}`,
      [kind, ids],
    ),
    query<{ item_id: number; address: string }>(
      db.read,
      `SELECT item_id, address FROM old_addresses WHERE kind = ? AND ${db.dialect.inNumbers('item_id')}`,
      [kind, ids],
    ),
  ]);
  return found.map(({ id, unique_id, walked }) => ({
    id,
    by: Number(walked),
    uniqueId: unique_id,
    imported: imported
      .filter((row) => row.item_id === id)
      .map(({ source, source_key }) => ({ source, key: source_key })),
    addresses: addresses.filter((row) => row.item_id === id).map(({ address }) => address),
  }));
}
