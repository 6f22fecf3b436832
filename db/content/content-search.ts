import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven, listPage, type Page, type Sought, type Window } from '../engine/paging.js';
import type { Queryable } from '../engine/queryable.js';
import type { ContentRow } from './content.js';
import { type ContentFilter, conditionsOf } from './content-filter.js';
import { KIND_STORAGE, type Kind } from './kinds.js';

/** Filters by owner, creation time and text; null = any. */
export interface ContentSearch {
  readonly ownerId: number | null;
  /** Epoch milliseconds, inclusive. */
  readonly from: number | null;
  /** Epoch milliseconds, exclusive. */
  readonly to: number | null;
  /** Part of an id, a name or a text. */
  readonly sought: Sought | null;
  /** Further filters. */
  readonly filter?: ContentFilter;
}

/** Condition: an item's id, name or text contains this text. */
export function holdsText({ dialect }: Db, kind: Kind, text: string): Condition {
  const { test, pattern } = dialect.contains(text);
  const tests = KIND_STORAGE[kind].searched.map((column) => `${column} ${test}`);
  return [`(${tests.join(' OR ')})`, ...tests.map(() => pattern)];
}

/** Items of a kind of all accounts that are not deleted, newest first, including expired ones. */
export async function searchContent<R extends ContentRow, T>(
  db: Db,
  kind: Kind,
  search: ContentSearch,
  window: Window,
  fromRow: (row: R) => T,
  columns = '*',
): Promise<Page<T>> {
  const { ownerId, from, to, sought } = search;
  const where: Condition[] = [
    [`owner_id NOT IN ${DELETED_USERS}`],
    ifGiven(ownerId, 'owner_id = ?'),
    ifGiven(from, 'created_at >= ?'),
    ifGiven(to, 'created_at < ?'),
    sought === null ? null : holdsText(db, kind, sought.text),
    ...(search.filter === undefined ? [] : conditionsOf(db, search.filter)),
  ];
  const order = 'created_at DESC, id DESC';
  return listPage(db, { columns, from: KIND_STORAGE[kind].table, where, order }, window, fromRow, sought);
}

/** Row ids of some items of an account, even a deleted one, at most `limit`. */
export async function itemIdsOf(
  db: Queryable,
  kind: Kind,
  ownerId: number,
  limit: number,
): Promise<number[]> {
  const found = await db(KIND_STORAGE[kind].table)
    .select('id')
    .where('owner_id', ownerId)
    .orderBy('created_at')
    .limit(limit);
  return found.map((row) => row.id);
}
