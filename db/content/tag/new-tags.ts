import { dialectOf } from '../../engine/dialect.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import type { OwnedKind } from '../kinds.js';

/** The form in which tags are compared. */
export const tagKey = (name: string): string => name.toLowerCase();

/** A new item that is to have tags. */
interface NewlyTagged {
  readonly id: number;
  readonly ownerId: number;
  readonly tags: readonly string[];
}

/** Gives new items their tags, by as many statements for many items as for one; returns the row ids of the tags of each item. */
export async function tagNew(
  trx: Queryable,
  kind: OwnedKind,
  items: readonly NewlyTagged[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const tagged = items.filter(({ tags }) => tags.length > 0);
  const byItem = new Map<number, number[]>();
  if (tagged.length === 0) return byItem;
  const wanted = new Map<string, [ownerId: number, key: string, name: string, items: number]>();
  for (const { ownerId, tags } of tagged)
    for (const name of tags) {
      const key = tagKey(name);
      const known = wanted.get(nameOf(ownerId, key));
      if (known === undefined) wanted.set(nameOf(ownerId, key), [ownerId, key, name, 1]);
      else known[3] += 1;
    }
  const dialect = dialectOf(trx);
  const given = dialect.rowsOf('given', {
    owner_id: 'bigint',
    tag_key: 'text',
    name: 'text',
    items: 'bigint',
  });
  // In a fixed order, so that two transactions with the same tags do not deadlock.
  const rows = [...wanted.values()].sort(([a, first], [b, second]) => a - b || (first < second ? -1 : 1));
  const found = await query<{ id: number; owner_id: number; tag_key: string }>(
    trx,
    `INSERT INTO tags (owner_id, tag_key, name, items)
     SELECT owner_id, tag_key, name, items FROM ${given} WHERE true
     ON CONFLICT (owner_id, tag_key) DO UPDATE SET items = tags.items + excluded.items
     RETURNING id, owner_id, tag_key`,
    [JSON.stringify(rows)],
  );
  const ids = new Map(found.map(({ id, owner_id, tag_key }) => [nameOf(owner_id, tag_key), id]));
  for (const { id, ownerId, tags } of tagged)
    byItem.set(
      id,
      tags.map((name) => ids.get(nameOf(ownerId, tagKey(name))) ?? 0),
    );
  await query(
    trx,
    `INSERT INTO item_tags (tag_id, kind, item_id)
     SELECT tag_id, '${kind}', item_id FROM ${dialect.rowsOf('given', { tag_id: 'bigint', item_id: 'bigint' })}`,
    [JSON.stringify([...byItem].flatMap(([id, tagIds]) => tagIds.map((tagId) => [tagId, id])))],
  );
  return byItem;
}

const nameOf = (ownerId: number, key: string): string => `${ownerId} ${key}`;
