import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** What is known about the client of a visit; "" if unknown. */
export interface VisitTraits {
  readonly browser: string;
  readonly system: string;
  readonly referrerHost: string;
  readonly bot: boolean;
}

/** Visits of one link on one day with the same traits. */
export interface VisitCount extends VisitTraits {
  readonly urlId: number;
  /** Days since the epoch. */
  readonly day: number;
  readonly visits: number;
}

type Trait = 'browser' | 'system' | 'referrer_host';

/** Adds a batch of visits to the daily counts of their links; runs in the transaction that logs them. */
export async function countVisits(db: Db, trx: Queryable, counts: readonly VisitCount[]): Promise<void> {
  const source = db.dialect.rowsOf('v', {
    u: 'bigint',
    d: 'bigint',
    b: 'text',
    s: 'text',
    r: 'text',
    m: 'bigint',
    n: 'bigint',
  });
  const list = counts.map((c) => [
    c.urlId,
    c.day,
    c.browser,
    c.system,
    c.referrerHost,
    c.bot ? 1 : 0,
    c.visits,
  ]);
  // "WHERE 1 = 1" keeps SQLite from reading ON CONFLICT as a join condition.
  await query(
    trx,
    `INSERT INTO visit_days (url_id, day, browser, system, referrer_host, bot, visits)
     SELECT u, d, b, s, r, m = 1, n FROM ${source} WHERE 1 = 1
     ON CONFLICT (url_id, day, browser, system, referrer_host, bot)
     DO UPDATE SET visits = visit_days.visits + excluded.visits`,
    [JSON.stringify(list)],
  );
}

/** The number of human visits with a certain trait. */
export interface VisitShare {
  readonly name: string;
  readonly visits: number;
}

/** The visits of a link in a span of days. */
export interface LinkStats {
  readonly perDay: readonly { readonly day: number; readonly visits: number; readonly bots: number }[];
  readonly referrers: readonly VisitShare[];
  readonly browsers: readonly VisitShare[];
  readonly systems: readonly VisitShare[];
  readonly bots: readonly VisitShare[];
}

/**
 * Visits of a link by day, and the traits of human visits, most frequent first, at most `limit` names of
 * each. `[from, to)` in epoch milliseconds is widened to whole days.
 */
export async function readLinkStats(
  db: Db,
  urlId: number,
  span: { readonly from: number; readonly to: number },
  limit: number,
): Promise<LinkStats> {
  const bounds = [urlId, dayOf(span.from), Math.ceil(span.to / DAY_MS)];
  const where = 'url_id = ? AND day >= ? AND day < ?';
  const perDay = await query<LinkStats['perDay'][number]>(
    db.read,
    `SELECT day, sum(visits) AS visits, sum(CASE WHEN bot THEN visits ELSE 0 END) AS bots
     FROM visit_days WHERE ${where} GROUP BY day ORDER BY day`,
    bounds,
  );
  const shares = (column: Trait, who: 'bot' | 'NOT bot') =>
    query<VisitShare>(
      db.read,
      `SELECT ${column} AS name, sum(visits) AS visits FROM visit_days
       WHERE ${where} AND ${who} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
      [...bounds, limit],
    );
  return {
    perDay,
    referrers: await shares('referrer_host', 'NOT bot'),
    browsers: await shares('browser', 'NOT bot'),
    systems: await shares('system', 'NOT bot'),
    bots: await shares('browser', 'bot'),
  };
}
