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

/** What every row of a list fulfils, with a value for each `?`; null is no condition. An OR needs brackets of its own. */
export type Condition = readonly [sql: string, ...values: Binding[]] | null;

/** A condition with one `?` on a value; none where that is null. */
export const ifGiven = (value: Binding, sql: string): Condition => (value === null ? null : [sql, value]);

/** A list as statements spell it. */
interface Listing {
  /** What each entry needs; all columns by default. */
  readonly columns?: string;
  readonly from: string;
  readonly where: readonly Condition[];
  /** The newest first by default. */
  readonly order?: string;
}

/** Reads one part of a list and counts the whole, at the same time. */
export async function queryPage<R, T>(
  db: Db,
  { columns = '*', from, where, order = 'id DESC' }: Listing,
  { limit, offset }: Window,
  fromRow: (row: R) => T,
): Promise<Page<T>> {
  const conditions = where.filter((condition) => condition !== null);
  const tests = conditions.map(([sql]) => sql).join(' AND ');
  const values = conditions.flatMap(([, ...bound]) => bound);
  const source = tests === '' ? from : `${from} WHERE ${tests}`;
  const [found, counted] = await Promise.all([
    query<R>(db.read, `SELECT ${columns} FROM ${source} ORDER BY ${order} LIMIT ? OFFSET ?`, [
      ...values,
      limit,
      offset,
    ]),
    query<{ total: number }>(db.read, `SELECT count(*) AS total FROM ${source}`, values),
  ]);
  return { items: found.map(fromRow), total: counted[0]?.total ?? 0 };
}
