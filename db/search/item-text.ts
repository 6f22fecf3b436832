import { KIND_STORAGE, type Kind } from '../content/kinds.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { Entry } from './entry.js';
import { textIndexOf } from './text-index.js';
import { foldTexts } from './words.js';

/** The columns of every kind that decide who finds an item by what. */
interface Row {
  readonly [column: string]: unknown;
  readonly owner_id: number;
  readonly unique_id: string;
  readonly password_hash: string | null;
  /** What was read in its bytes; what is new has nothing yet. */
  readonly read_words?: string | null;
}

/** The columns that an entry is made of. */
const COMMON = ['owner_id', 'unique_id', 'password_hash', 'tagged'] as const;
const columnsOf = (kind: Kind): readonly string[] => {
  const { shown, own, never, sealed } = KIND_STORAGE[kind].searched;
  return [...COMMON, ...shown, ...own, ...[never, sealed].filter((column) => column !== null)];
};

/** Whether a change of these columns changes what an item is found by. */
export const isIndexed = (kind: Kind, columns: readonly string[]): boolean =>
  columns.some((column) => columnsOf(kind).includes(column));

/** The entry of an item; null for one that is never found by its texts. */
function entryOf(kind: Kind, id: number, row: Row, tagIds: readonly number[]): Entry | null {
  const { shown, own, never, sealed } = KIND_STORAGE[kind].searched;
  if (never !== null && row[never]) return null;
  // What is encrypted has no words.
  const isSealed = sealed !== null && (row[sealed] ?? null) !== null;
  const texts = (columns: readonly string[]) =>
    isSealed ? [] : columns.map((column) => (row[column] ?? null) as string | null);
  // What a password protects is known to the owner alone, and so is not guessed by searching.
  const isProtected = row.password_hash !== null;
  return {
    kind,
    id,
    ownerId: row.owner_id,
    shown: foldTexts([row.unique_id, ...(isProtected ? [] : texts(shown))]),
    own: foldTexts([...(isProtected ? texts(shown) : []), ...texts(own), row.read_words ?? null]),
    tagIds,
  };
}

/** Makes new items, given as their columns, findable; `tagIds` are the row ids of the tags of those that have any. */
export async function indexNew(
  trx: Queryable,
  kind: Kind,
  items: readonly (Row & { readonly id: number })[],
  tagIds: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const entries = items
    .map((row) => entryOf(kind, row.id, row, tagIds.get(row.id) ?? []))
    .filter((entry) => entry !== null);
  if (entries.length > 0) await textIndexOf(trx).put(trx, entries, false);
}

/** Writes what items are found by again, after they or their tags have changed. Items that are gone are left out. */
export async function indexItems(trx: Queryable, kind: Kind, ids: readonly number[]): Promise<void> {
  const list = JSON.stringify(ids);
  const index = textIndexOf(trx);
  const rows = await query<Row & { id: number }>(
    trx,
    `SELECT id, ${columnsOf(kind).join(', ')}, ${KIND_STORAGE[kind].searched.read ?? 'NULL'} AS read_words FROM ${KIND_STORAGE[kind].table}
     WHERE id IN (${index.numbers}) ORDER BY id ${index.locks}`,
    [list],
  );
  const tags = await query<{ tag_id: number; item_id: number }>(
    trx,
    `SELECT tag_id, item_id FROM item_tags WHERE kind = ? AND item_id IN (${index.numbers})`,
    [kind, list],
  );
  const tagsOf = new Map<number, number[]>();
  for (const { tag_id, item_id } of tags) tagsOf.set(item_id, [...(tagsOf.get(item_id) ?? []), tag_id]);
  const entries = rows
    .map((row) => entryOf(kind, row.id, row, tagsOf.get(row.id) ?? []))
    .filter((entry) => entry !== null);
  if (entries.length > 0) await index.put(trx, entries, true);
}

/** Forgets an item that is deleted. */
export const forgetItem = (trx: Queryable, kind: Kind, id: number): Promise<void> =>
  textIndexOf(trx).remove(trx, kind, [id]);
