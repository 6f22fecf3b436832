import type { Db } from './connect.js';
import { type Binding, query } from './query.js';
import { SearchEnded } from './search-reader.js';

/** A section of a list. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** A section of a list, and the total length of the list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Whether there may be more than `total`, because a search looks at no more. */
  readonly isCapped?: boolean;
}

/** A condition on the rows of a list, with a value for each `?`; null is no condition. An OR needs its own brackets. */
export type Condition = readonly [sql: string, ...values: Binding[]] | null;

/** A condition with one `?`; none if the value is null. */
export const ifGiven = (value: Binding, sql: string): Condition => (value === null ? null : [sql, value]);

/** A text to search for, as long as its caller waits for the result. */
export interface SearchMatches {
  readonly text: string;
  readonly left: AbortSignal;
}

/** The parts of a list's SQL statement. */
interface Listing {
  /** The columns to read; all by default. */
  readonly columns?: string;
  readonly from: string;
  readonly where: readonly Condition[];
  /** Newest first by default. */
  readonly order?: string;
  /** A table with ids, of which an index has what the list goes by: the rows before the section are not read. */
  readonly keyed?: string;
  /** The total length, if something counts it anyway; used by lists without a text. */
  readonly total?: (() => Promise<number>) | null;
}

/** The statements for a section of a list and for its total length, with their values. */
function statementsOf({ columns = '*', from, where, order = 'id DESC', keyed }: Listing) {
  const conditions = where.filter((condition) => condition !== null);
  const tests = conditions.map(([sql]) => sql).join(' AND ');
  const source = tests === '' ? from : `${from} WHERE ${tests}`;
  const section = (what: string) => `SELECT ${what} FROM ${source} ORDER BY ${order} LIMIT ? OFFSET ?`;
  return {
    section:
      keyed === undefined
        ? section(columns)
        : `SELECT ${columns} FROM ${keyed} WHERE id IN (SELECT id FROM (${section('id')}) AS section) ORDER BY ${order}`,
    count: `SELECT count(*) AS total FROM ${source}`,
    values: conditions.flatMap(([, ...bound]) => bound),
  };
}

/** Reads a section of a list and the total count in parallel. */
export async function queryPage<R, T>(
  db: Db,
  listing: Listing,
  { limit, offset }: Window,
  fromRow: (row: R) => T,
): Promise<Page<T>> {
  const { section, values } = statementsOf(listing);
  const [found, total] = await Promise.all([
    query<R>(db.read, section, [...values, limit, offset]),
    (listing.total ?? (() => countOf(db, listing)))(),
  ]);
  return { items: found.map(fromRow), total };
}

/** The total length of a list. */
export async function countOf(db: Db, listing: Listing): Promise<number> {
  const { count, values } = statementsOf(listing);
  const [counted] = await query<{ total: number }>(db.read, count, values);
  return counted?.total ?? 0;
}

/**
 * As `queryPage`, for a list in which every row must be read to see whether it belongs there. It is read beside
 * all other reads; `SearchEnded` if that takes too long. If only counting takes too long, the total is as many as are
 * known, and one more if there may be more.
 */
async function searchPage<R, T>(
  { search }: Db,
  listing: Listing,
  { limit, offset }: Window,
  fromRow: (row: R) => T,
  left: AbortSignal,
): Promise<Page<T>> {
  const { section, count, values } = statementsOf(listing);
  const found = await search.query<R>(section, [...values, limit, offset], left);
  const items = found.map(fromRow);
  const known = offset + items.length;
  // The last section shows the total without a second scan.
  if (items.length < limit && (items.length > 0 || offset === 0)) return { items, total: known };
  try {
    const [counted] = await search.query<{ total: number }>(count, values, left);
    return { items, total: counted?.total ?? 0 };
  } catch (error) {
    if (!(error instanceof SearchEnded) || left.aborted) throw error;
    return { items, total: items.length === 0 ? 0 : known + 1 };
  }
}

/** Reads a section of a list, with or without a text that is searched for. */
export const listPage = <R, T>(
  db: Db,
  listing: Listing,
  window: Window,
  fromRow: (row: R) => T,
  matches: SearchMatches | null,
): Promise<Page<T>> =>
  matches === null
    ? queryPage(db, listing, window, fromRow)
    : searchPage(db, listing, window, fromRow, matches.left);
