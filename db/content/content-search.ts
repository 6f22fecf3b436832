import { DELETED_USERS } from '../account/user.js';
import type { Db, Queryable } from '../engine/connect.js';
import { type Condition, ifGiven, listPage, type Page, type Sought, type Window } from '../engine/paging.js';
import { type ContentRow, type Kind, TABLES } from './content.js';
import { type ContentFilter, conditionsOf } from './content-filter.js';
import { type Image, imageFromRow } from './image.js';
import { LISTED_COLUMNS, type ListedPaste, listedFromRow } from './paste.js';
import { type ShortUrl, shortUrlFromRow } from './short-url.js';

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

/** The text of a burn-after-reading paste is not searched, because it could be guessed piece by piece. */
const SEARCHED_TEXT = "(CASE WHEN burn THEN '' ELSE content END)";
const SEARCHED: Readonly<Record<Kind, readonly string[]>> = {
  image: ['unique_id', 'original_name', 'description'],
  paste: ['unique_id', 'title', SEARCHED_TEXT],
  url: ['unique_id', 'original_url'],
};

/** Condition: an item's id, name or text contains this text. */
export function holdsText({ dialect }: Db, kind: Kind, text: string): Condition {
  const { test, pattern } = dialect.contains(text);
  const tests = SEARCHED[kind].map((column) => `${column} ${test}`);
  return [`(${tests.join(' OR ')})`, ...tests.map(() => pattern)];
}

/** Images of all accounts that are not deleted, newest first, including expired ones. */
export const searchImages = (db: Db, search: ContentSearch, window: Window): Promise<Page<Image>> =>
  find(db, 'image', search, window, '*', imageFromRow);

/** As `searchImages`, for pastes without their texts: see `textsOf`. */
export const searchPastes = (db: Db, search: ContentSearch, window: Window): Promise<Page<ListedPaste>> =>
  find(db, 'paste', search, window, LISTED_COLUMNS.join(', '), listedFromRow);

/** As `searchImages`, for short URLs. */
export const searchUrls = (db: Db, search: ContentSearch, window: Window): Promise<Page<ShortUrl>> =>
  find(db, 'url', search, window, '*', shortUrlFromRow);

async function find<R extends ContentRow, T>(
  db: Db,
  kind: Kind,
  search: ContentSearch,
  window: Window,
  columns: string,
  fromRow: (row: R) => T,
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
  return listPage(db, { columns, from: TABLES[kind], where, order }, window, fromRow, sought);
}

/** Row ids of some items of an account, even a deleted one, at most `limit`. */
export async function itemIdsOf(
  db: Queryable,
  kind: Kind,
  ownerId: number,
  limit: number,
): Promise<number[]> {
  const found = await db(TABLES[kind])
    .select('id')
    .where('owner_id', ownerId)
    .orderBy('created_at')
    .limit(limit);
  return found.map((row) => row.id);
}
