import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { VisitShare } from './visit-days.js';

/** Visits of one link on one day that one of its rules or parts led on. */
export interface VariantCount {
  readonly urlId: number;
  /** Days since the epoch. */
  readonly day: number;
  readonly variant: string;
  readonly visits: number;
}

/** Adds a batch of visits to the variants of their links; runs in the transaction that logs them. */
export async function countVariants(db: Db, trx: Queryable, counts: readonly VariantCount[]): Promise<void> {
  if (counts.length === 0) return;
  const source = db.dialect.rowsOf('v', { u: 'bigint', d: 'bigint', w: 'text', n: 'bigint' });
  // "WHERE 1 = 1" keeps SQLite from reading ON CONFLICT as a join condition.
  await query(
    trx,
    `INSERT INTO visit_variants (url_id, day, variant, visits) SELECT u, d, w, n FROM ${source} WHERE 1 = 1
     ON CONFLICT (url_id, day, variant) DO UPDATE SET visits = visit_variants.visits + excluded.visits`,
    [JSON.stringify(counts.map(({ urlId, day, variant, visits }) => [urlId, day, variant, visits]))],
  );
}

/** How often each variant of a link was taken in a span, which is widened to whole days, most frequent first. */
export const variantsOf = (
  db: Db,
  urlId: number,
  span: { readonly from: number; readonly to: number },
): Promise<VisitShare[]> =>
  query<VisitShare>(
    db.read,
    `SELECT variant AS name, sum(visits) AS visits FROM visit_variants
     WHERE url_id = ? AND day >= ? AND day < ? GROUP BY 1 ORDER BY 2 DESC, 1`,
    [urlId, dayOf(span.from), Math.ceil(span.to / DAY_MS)],
  );
