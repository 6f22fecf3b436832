import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { CountedIn, VisitShare } from './visit-days.js';

/** People's visits of one link on one day from one country. */
export interface CountryCount {
  readonly urlId: number;
  /** Days since the epoch. */
  readonly day: number;
  /** A code of two letters. */
  readonly country: string;
  readonly visits: number;
}

/** Adds a batch of visits to the countries of their links; runs in the transaction that logs them. */
export async function countCountries(db: Db, trx: Queryable, counts: readonly CountryCount[]): Promise<void> {
  if (counts.length === 0) return;
  const source = db.dialect.rowsOf('v', { u: 'bigint', d: 'bigint', c: 'text', n: 'bigint' });
  // "WHERE 1 = 1" keeps SQLite from reading ON CONFLICT as a join condition.
  await query(
    trx,
    `INSERT INTO visit_countries (url_id, day, country, visits) SELECT u, d, c, n FROM ${source} WHERE 1 = 1
     ON CONFLICT (url_id, day, country) DO UPDATE SET visits = visit_countries.visits + excluded.visits`,
    [JSON.stringify(counts.map(({ urlId, day, country, visits }) => [urlId, day, country, visits]))],
  );
}

/** The countries from which people opened an item in a span, which is widened to whole days, most frequent first. */
export async function countriesOf(
  db: Db,
  { countries, count, item, key }: CountedIn,
  span: { readonly from: number; readonly to: number },
  limit: number,
): Promise<VisitShare[]> {
  return query<VisitShare>(
    db.read,
    `SELECT country AS name, sum(${count}) AS visits FROM ${countries}
     WHERE ${item} AND day >= ? AND day < ? GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
    [...key, dayOf(span.from), Math.ceil(span.to / DAY_MS), limit],
  );
}
