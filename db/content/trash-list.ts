import type { Db } from '../engine/connect.js';
import { mergedSection } from '../engine/merged.js';
import type { Page, Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import { type TrashedCollection, trashedCollections } from './collection/collection-trash.js';
import { itemKey, KIND_STORAGE, OWNED_KINDS, type OwnedKind, tableOf } from './kinds.js';
import { type OwnItem, ownItemsByKey } from './own/own-item.js';
import { inTrash } from './trash.js';

/** Something in the trash, with when it came there. */
export type Trashed =
  | { readonly at: number; readonly item: OwnItem; readonly collection: null }
  | { readonly at: number; readonly item: null; readonly collection: TrashedCollection };

interface Key {
  readonly kind: OwnedKind;
  readonly id: number;
  readonly trashed_at: number;
}

/** A section of what is in the trash of an account, the last first, and how much that is. */
export async function listTrash(db: Db, ownerId: number, window: Window): Promise<Page<Trashed>> {
  const parts = OWNED_KINDS.map((kind) => ({
    sql: `SELECT '${kind}' AS kind, id, trashed_at FROM ${tableOf(kind)} WHERE owner_id = ? AND ${inTrash(kind)}`,
    values: [ownerId],
    order: null,
  }));
  const { sql, values } = mergedSection(db.dialect, parts, 'trashed_at DESC, id DESC, kind', window);
  const section = await query<Key>(db.read, sql, values);
  const isItem = (key: Key): key is Key & { readonly kind: OwnItem['kind'] } => key.kind !== 'collection';
  const items = await ownItemsByKey(db, section.filter(isItem));
  const collections = await trashedCollections(
    db,
    section.filter((key) => !isItem(key)).map(({ id }) => id),
  );
  const found = section.flatMap((key): Trashed[] => {
    const at = Number(key.trashed_at);
    if (isItem(key)) {
      const item = items.get(itemKey(key.kind, key.id));
      return item === undefined ? [] : [{ at, item, collection: null }];
    }
    const collection = collections.get(key.id);
    return collection === undefined ? [] : [{ at, item: null, collection }];
  });
  return { items: found, total: await countTrash(db, ownerId) };
}

async function countTrash(db: Db, ownerId: number): Promise<number> {
  const counts = OWNED_KINDS.map(
    (kind) => `SELECT count(*) AS n FROM ${tableOf(kind)} WHERE owner_id = ? AND ${inTrash(kind)}`,
  );
  const found = await query<{ n: number }>(
    db.read,
    counts.join(' UNION ALL '),
    OWNED_KINDS.map(() => ownerId),
  );
  return found.reduce((sum, { n }) => sum + Number(n), 0);
}

/** The bytes that everything in the trash of an account takes. */
export async function trashBytes(db: Db, ownerId: number): Promise<number> {
  const parts = Object.values(KIND_STORAGE).map(
    ({ table, counted }) =>
      `SELECT coalesce(sum(${counted.bytes}), 0) AS bytes FROM ${table} WHERE owner_id = ? AND trashed_at > 0`,
  );
  const found = await query<{ bytes: number }>(
    db.read,
    parts.join(' UNION ALL '),
    parts.map(() => ownerId),
  );
  return found.reduce((sum, { bytes }) => sum + Number(bytes), 0);
}
