import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import type { Page, Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import {
  type Content,
  type ContentRow,
  contentFromRow,
  insertContent,
  type NewContent,
  rowsByIds,
} from './content.js';
import { type ContentSearch, searchContent } from './content-search.js';

/** A short link. `maxUses` null means without limit. */
export interface Link extends Content {
  readonly originalUrl: string;
  readonly visits: number;
  readonly maxUses: number | null;
}

export type NewLink = NewContent & Omit<Link, keyof Content | 'visits'>;

interface Row extends ContentRow {
  original_url: string;
  visits: number;
  max_uses: number | null;
}

export const shortUrlFromRow = (row: Row): Link => ({
  ...contentFromRow(row),
  originalUrl: row.original_url,
  visits: row.visits,
  maxUses: row.max_uses,
});

/** Short URLs by id (lower case), in the requested order; null for unknown ids. Expired ones are included. */
export async function shortUrlsByIds(db: Db, keys: readonly string[]): Promise<(Link | null)[]> {
  const found = await rowsByIds<Row>(db, 'url', keys);
  return found.map((row) => (row === null ? null : shortUrlFromRow(row)));
}

/** As `searchImages`, for short URLs. */
export const searchUrls = (db: Db, search: ContentSearch, window: Window): Promise<Page<Link>> =>
  searchContent(db, 'url', search, window, shortUrlFromRow);

/**
 * Reads short URLs by id (lower case) inside a write and locks them until the commit. Leaves out those of
 * deleted accounts.
 */
export async function lockLinks(db: Db, trx: Queryable, keys: readonly string[]): Promise<Link[]> {
  const found = await query<Row>(
    trx,
    `SELECT * FROM short_urls WHERE ${db.dialect.inStrings('lookup_id')} AND owner_id NOT IN ${DELETED_USERS}
     ORDER BY id ${db.dialect.forUpdate}`,
    [JSON.stringify(keys)],
  );
  return found.map(shortUrlFromRow);
}

/** Inserts a short URL and returns it as stored; violates a unique index if the id is taken. */
export async function insertLink(trx: Queryable, url: NewLink): Promise<Link> {
  const own = { original_url: url.originalUrl, visits: 0, max_uses: url.maxUses };
  const made = await insertContent(trx, 'url', url, own, { format: '', bytes: 0 });
  return { ...url, visits: 0, ...made };
}

/** Adds visits to the counters of links, given as `[row id, count]`. */
export async function addVisits(
  db: Db,
  trx: Queryable,
  counts: Iterable<readonly [number, number]>,
): Promise<void> {
  const source = db.dialect.rowsOf('granted', { id: 'bigint', n: 'bigint' });
  await query(
    trx,
    `UPDATE short_urls SET visits = visits + granted.n FROM ${source} WHERE short_urls.id = granted.id`,
    [JSON.stringify([...counts])],
  );
}

/** Whether a link has no uses left. */
export const isUsedUp = (url: Link): boolean => url.maxUses !== null && url.visits >= url.maxUses;
