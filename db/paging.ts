import type { Db } from './connect.js';
import { type Binding, query } from './query.js';

/** Which part of a list. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** One part of a list, and how long the whole is. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** A list as statements spell it. */
interface Listing {
  /** What each entry needs; all columns by default. */
  readonly columns?: string;
  /** Table and condition: whatever follows `FROM`, with `?` for each of `values`. */
  readonly from: string;
  readonly values: readonly Binding[];
  /** The newest first by default. */
  readonly order?: string;
}

/** Reads one part of a list and counts the whole, at the same time. */
export async function queryPage<R, T>(
  db: Db,
  { columns = '*', from, values, order = 'id DESC' }: Listing,
  { limit, offset }: Window,
  fromRow: (row: R) => T,
): Promise<Page<T>> {
  const [found, counted] = await Promise.all([
    query<R>(db.read, `SELECT ${columns} FROM ${from} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...values,
      limit,
      offset,
    ]),
    query<{ total: number }>(db.read, `SELECT count(*) AS total FROM ${from}`, values),
  ]);
  return { items: found.map(fromRow), total: counted[0]?.total ?? 0 };
}
