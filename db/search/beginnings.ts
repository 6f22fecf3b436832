import { KIND_STORAGE, type Kind } from '../content/kinds.js';
import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';

/**
 * The first characters of the texts that snippets of items of a kind are cut from, by row id; without those of items
 * that are never found, and of those that have none.
 */
export async function beginningsOf(
  db: Db,
  kind: Kind,
  ids: readonly number[],
  characters: number,
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const { table, searched } = KIND_STORAGE[kind];
  const { never, sealed } = searched;
  const hidden = `${never === null ? '' : ` AND NOT ${never}`}${sealed === null ? '' : ` AND ${sealed} IS NULL`}`;
  const found = await query<{ id: number; beginning: string | null }>(
    db.read,
    `SELECT id, substr(${searched.text}, 1, ?) AS beginning FROM ${table} WHERE ${db.dialect.inNumbers('id')}${hidden}`,
    [characters, JSON.stringify(ids)],
  );
  return new Map(found.flatMap(({ id, beginning }) => (beginning ? [[id, beginning] as const] : [])));
}
