import type { Db } from '../../engine/connect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { itemKey, itemKeyRows, type OwnedKind } from '../kinds.js';
import { tagKey } from './new-tags.js';

/** A tag of an account. `items` counts what has it, collections among them, and is not in the trash. */
interface Tag {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly items: number;
}

interface Row {
  id: number;
  tag_key: string;
  name: string;
  items: number;
}

const fromRow = (row: Row): Tag => ({ id: row.id, key: row.tag_key, name: row.name, items: row.items });

/** The tags of items by `itemKey`, in alphabetical order; items without tags are missing. */
export async function tagsOfItems(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = db.dialect.rowsOf('asked', { kind: 'text', id: 'bigint' });
  const found = await query<{ kind: OwnedKind; item_id: number; name: string }>(
    db.read,
    `SELECT i.kind, i.item_id, t.name FROM ${asked}
     JOIN item_tags i ON i.kind = asked.kind AND i.item_id = asked.id JOIN tags t ON t.id = i.tag_id
     ORDER BY t.tag_key`,
    [itemKeyRows(keys)],
  );
  const byItem = new Map<string, string[]>();
  for (const { kind, item_id, name } of found) {
    const key = itemKey(kind, item_id);
    const known = byItem.get(key);
    if (known === undefined) byItem.set(key, [name]);
    else known.push(name);
  }
  return byItem;
}

/** The tags of one item, inside a write. */
export async function tagsOfItem(trx: Queryable, kind: OwnedKind, itemId: number): Promise<Tag[]> {
  const found = await query<Row>(
    trx,
    `SELECT t.* FROM item_tags i JOIN tags t ON t.id = i.tag_id
     WHERE i.kind = ? AND i.item_id = ? ORDER BY t.tag_key`,
    [kind, itemId],
  );
  return found.map(fromRow);
}

/** The tags of an account that something has, or something of a kind, in alphabetical order, at most `limit`. */
export async function tagsOfAccount(
  db: Queryable,
  ownerId: number,
  limit: number,
  kind: OwnedKind | null = null,
): Promise<Tag[]> {
  const found = await query<Row>(
    db,
    `SELECT * FROM tags WHERE owner_id = ? AND items > 0
     ${kind === null ? '' : 'AND EXISTS (SELECT 1 FROM item_tags WHERE tag_id = tags.id AND kind = ?)'}
     ORDER BY tag_key LIMIT ?`,
    [ownerId, ...(kind === null ? [] : [kind]), limit],
  );
  return found.map(fromRow);
}

/** The tag of an account with this name in any case, or null. */
export async function tagByName(db: Queryable, ownerId: number, name: string): Promise<Tag | null> {
  const [row] = await query<Row>(db, 'SELECT * FROM tags WHERE owner_id = ? AND tag_key = ?', [
    ownerId,
    tagKey(name),
  ]);
  return row === undefined ? null : fromRow(row);
}

/** Gives an item a tag, which is made if the account has none of that name. */
export async function addTag(
  trx: Queryable,
  ownerId: number,
  kind: OwnedKind,
  itemId: number,
  name: string,
): Promise<void> {
  const [tag] = await query<{ id: number }>(
    trx,
    `INSERT INTO tags (owner_id, tag_key, name, items) VALUES (?, ?, ?, 1)
     ON CONFLICT (owner_id, tag_key) DO UPDATE SET items = tags.items + 1 RETURNING id`,
    [ownerId, tagKey(name), name],
  );
  await query(trx, 'INSERT INTO item_tags (tag_id, kind, item_id) VALUES (?, ?, ?)', [
    tag?.id ?? 0,
    kind,
    itemId,
  ]);
}

/** Takes a tag from an item; a tag that nothing has is forgotten. */
export async function removeTag(
  trx: Queryable,
  tagId: number,
  kind: OwnedKind,
  itemId: number,
): Promise<void> {
  await query(trx, 'DELETE FROM item_tags WHERE tag_id = ? AND kind = ? AND item_id = ?', [
    tagId,
    kind,
    itemId,
  ]);
  await query(trx, 'UPDATE tags SET items = items - 1 WHERE id = ?', [tagId]);
  await forgetUnused(trx, tagId);
}

async function forgetUnused(trx: Queryable, tagId: number): Promise<void> {
  await query(
    trx,
    'DELETE FROM tags WHERE id = ? AND NOT EXISTS (SELECT 1 FROM item_tags WHERE tag_id = tags.id)',
    [tagId],
  );
}

/** Takes all tags from an item that is deleted; `counted` is false for one that they no longer count. */
export async function clearTags(
  trx: Queryable,
  kind: OwnedKind,
  itemId: number,
  counted: boolean,
): Promise<void> {
  const present = await tagsOfItem(trx, kind, itemId);
  if (present.length === 0) return;
  // What it has now: one of its tags may have become another one.
  const removed = await query<{ tag_id: number }>(
    trx,
    'DELETE FROM item_tags WHERE kind = ? AND item_id = ? RETURNING tag_id',
    [kind, itemId],
  );
  const places = new Map(present.map(({ id }, place) => [id, place]));
  const placeOf = ({ tag_id }: { tag_id: number }) => places.get(tag_id) ?? places.size;
  // In a fixed order, so that two deletions do not deadlock.
  const tags = removed.toSorted((a, b) => placeOf(a) - placeOf(b)).map(({ tag_id }) => tag_id);
  if (counted)
    for (const id of tags) await query(trx, 'UPDATE tags SET items = items - 1 WHERE id = ?', [id]);
  for (const id of tags) await forgetUnused(trx, id);
}

/** Counts items with each of their tags, or no longer (-1). */
export async function countTags(
  db: Db,
  trx: Queryable,
  kind: OwnedKind,
  itemIds: readonly number[],
  by: 1 | -1,
): Promise<void> {
  const read = () =>
    query<{ tag_id: number; n: number }>(
      trx,
      `SELECT i.tag_id, count(*) AS n FROM item_tags i JOIN tags t ON t.id = i.tag_id
       WHERE i.kind = ? AND ${db.dialect.inNumbers('i.item_id')} GROUP BY i.tag_id, t.tag_key ORDER BY t.tag_key`,
      [kind, JSON.stringify(itemIds)],
    );
  let tagged = await read();
  // A tag that has become another one meanwhile is gone once the lock is there.
  while (!(await lockAll(db, trx, tagged))) tagged = await read();
  for (const { tag_id, n } of tagged)
    await query(trx, 'UPDATE tags SET items = items + ? WHERE id = ?', [by * Number(n), tag_id]);
}

/** Locks tags until the commit; false if one is gone. On SQLite nothing has changed since they were read. */
async function lockAll(
  { dialect }: Db,
  trx: Queryable,
  tags: readonly { readonly tag_id: number }[],
): Promise<boolean> {
  if (dialect.forUpdate === '' || tags.length === 0) return true;
  const locked = await query(
    trx,
    `SELECT id FROM tags WHERE ${dialect.inNumbers('id')} ORDER BY tag_key ${dialect.forUpdate}`,
    [JSON.stringify(tags.map(({ tag_id }) => tag_id))],
  );
  return locked.length === tags.length;
}

/** Locks the tags of an account with these names until the commit. */
export async function lockTags(
  db: Db,
  trx: Queryable,
  ownerId: number,
  names: readonly string[],
): Promise<Tag[]> {
  const found = await query<Row>(
    trx,
    `SELECT * FROM tags WHERE owner_id = ? AND ${db.dialect.inStrings('tag_key')}
     ORDER BY id ${db.dialect.forUpdate}`,
    [ownerId, JSON.stringify(names.map(tagKey))],
  );
  return found.map(fromRow);
}
