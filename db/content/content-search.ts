import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import {
  type Condition,
  ifGiven,
  listPage,
  type Page,
  type SearchMatches,
  type Window,
} from '../engine/paging.js';
import type { Queryable } from '../engine/queryable.js';
import { capped, idsOf, matching } from '../search/ask.js';
import type { ContentRow } from './content.js';
import { type ContentFilter, conditionsOf } from './content-filter.js';
import { countByDays, countPacked } from './counted.js';
import { KIND_STORAGE, type Kind } from './kinds.js';
import { KEPT } from './life.js';

/** Filters by owner, creation time and text; null = any. */
export interface ContentSearch {
  readonly ownerId: number | null;
  /** Epoch milliseconds, inclusive. */
  readonly from: number | null;
  /** Epoch milliseconds, exclusive. */
  readonly to: number | null;
  /** Words that occur in what the items are found by. */
  readonly matches: SearchMatches | null;
  /** Further filters. */
  readonly filter?: ContentFilter;
}

/** Items of a kind of all accounts that are not deleted, newest first, including expired ones, without what is in the trash. */
export async function searchContent<R extends ContentRow, T>(
  db: Db,
  kind: Kind,
  search: ContentSearch,
  window: Window,
  fromRow: (row: R) => T,
  columns = '*',
): Promise<Page<T>> {
  const { ownerId, from, to, matches } = search;
  const { inNoPack = false, ...filter } = search.filter ?? {};
  const sifting = conditionsOf(db, filter);
  const isCounted = filter.trashed !== true && sifting.every((condition) => condition === null);
  const further = inNoPack ? [...sifting, ...conditionsOf(db, { inNoPack })] : sifting;
  // Counting the rows of a million takes longer than anything else about a page of them.
  const counted = async () => {
    const span = { kinds: [kind], ownerId, from, to };
    const [all, packed] = await Promise.all([countByDays(db, span), inNoPack ? countPacked(db, span) : 0]);
    return all - packed;
  };
  const filters: Condition[] = [
    [`owner_id NOT IN ${DELETED_USERS}`],
    [filter.trashed === true ? 'trashed_at > 0' : KEPT],
    ifGiven(ownerId, 'owner_id = ?'),
    ifGiven(from, 'created_at >= ?'),
    ifGiven(to, 'created_at < ?'),
    ...further,
  ];
  const isSifted = from !== null || to !== null || !isCounted;
  const match = await matching(db, matches, {
    ...{ ownerId, own: false },
    itemFilter:
      matches === null || !isSifted
        ? null
        : { left: isCounted ? await counted() : null, ids: idsOf(filters) },
  });
  const where = [...filters, match(kind)];
  const order = 'created_at DESC, id DESC';
  const { table } = KIND_STORAGE[kind];
  const source = matches === null ? table : db.dialect.byIds(table);
  const listing = { columns, from: source, where, order, keyed: table, total: isCounted ? counted : null };
  const page = await listPage(db, listing, window, fromRow, matches);
  return matches === null ? page : capped(page);
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
