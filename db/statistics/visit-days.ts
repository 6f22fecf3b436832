import type { Kind } from '../content/kinds.js';
import type { Db } from '../engine/connect.js';
import { DAY_MS, dayOf } from '../engine/days.js';
import { type Binding, query } from '../engine/query.js';
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

/** Where an item's openings are counted by day: its tables, their column with the number, and which rows are its own. */
export interface CountedIn {
  readonly days: 'visit_days' | 'view_days';
  readonly countries: 'visit_countries' | 'view_countries';
  readonly count: 'visits' | 'views';
  /** SQL condition, and what it binds. */
  readonly item: string;
  readonly key: readonly Binding[];
}

/** The visits of a link. */
export const visitsOfLink = (urlId: number): CountedIn => ({
  days: 'visit_days',
  countries: 'visit_countries',
  count: 'visits',
  item: 'url_id = ?',
  key: [urlId],
});

/** The views of any other item. */
export const viewsOfItem = (kind: Kind, itemId: number): CountedIn => ({
  days: 'view_days',
  countries: 'view_countries',
  count: 'views',
  item: 'kind = ? AND item_id = ?',
  key: [kind, itemId],
});

/** The number of times that people with a certain trait opened an item. */
export interface VisitShare {
  readonly name: string;
  readonly visits: number;
}

/** How often an item was opened on a day, and how often of that by bots. */
export interface CountedDay {
  /** Days since the epoch. */
  readonly day: number;
  readonly visits: number;
  readonly bots: number;
}

/** The traits of those who opened an item in a span of days. */
interface OpenedBy {
  readonly referrers: readonly VisitShare[];
  readonly browsers: readonly VisitShare[];
  readonly systems: readonly VisitShare[];
  readonly bots: readonly VisitShare[];
}

interface Days {
  readonly from: number;
  readonly to: number;
}

const boundsOf = ({ key }: CountedIn, { from, to }: Days): Binding[] => [
  ...key,
  dayOf(from),
  Math.ceil(to / DAY_MS),
];
const IN_DAYS = 'day >= ? AND day < ?';

/** How often an item was opened, by day, ascending. `[from, to)` in epoch milliseconds is widened to whole days. */
export function countedDays(db: Db, of: CountedIn, span: Days): Promise<CountedDay[]> {
  return query<CountedDay>(
    db.read,
    `SELECT day, sum(${of.count}) AS visits, sum(CASE WHEN bot THEN ${of.count} ELSE 0 END) AS bots
     FROM ${of.days} WHERE ${of.item} AND ${IN_DAYS} GROUP BY day ORDER BY day`,
    boundsOf(of, span),
  );
}

/** The traits of people who opened an item, and the names of bots, most frequent first, at most `limit` of each. */
export async function openedBy(db: Db, of: CountedIn, span: Days, limit: number): Promise<OpenedBy> {
  const shares = (column: Trait, who: 'bot' | 'NOT bot') =>
    query<VisitShare>(
      db.read,
      `SELECT ${column} AS name, sum(${of.count}) AS visits FROM ${of.days}
       WHERE ${of.item} AND ${IN_DAYS} AND ${who} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
      [...boundsOf(of, span), limit],
    );
  return {
    referrers: await shares('referrer_host', 'NOT bot'),
    browsers: await shares('browser', 'NOT bot'),
    systems: await shares('system', 'NOT bot'),
    bots: await shares('browser', 'bot'),
  };
}
