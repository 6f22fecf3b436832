import type { Db } from './connect.js';
import { type Binding, query } from './query.js';

/** A section of a list. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** A section of a list, and the total length of the list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** A condition on the rows of a list, with a value for each `?`; null is no condition. An OR needs its own brackets. */
export type Condition = readonly [sql: string, ...values: Binding[]] | null;

/** A condition with one `?`; none if the value is null. */
export const ifGiven = (value: Binding, sql: string): Condition => (value === null ? null : [sql, value]);

/** The parts of a list's SQL statement. */
interface Listing {
  /** The columns to read; all by default. */
  readonly columns?: string;
  readonly from: string;
  readonly where: readonly Condition[];
  /** Newest first by default. */
  readonly order?: string;
}

/** Reads a section of a list and the total count in parallel. */
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
