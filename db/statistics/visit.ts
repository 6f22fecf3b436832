import type { Db } from '../engine/connect.js';
import type { Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** An entry of the visit log. */
export interface Visit {
  readonly userAgent: string | null;
  readonly ipAddress: string | null;
  readonly referrerHost: string | null;
  /** Epoch milliseconds. */
  readonly visitedAt: number;
  /** A code of two letters; null if it is not known. */
  readonly country: string | null;
  /** Which rule or part of its link led it on: `rule-1`, `split-2`; null for neither. */
  readonly variant: string | null;
}

/** Identical visits of one link at one moment. */
export interface LoggedVisits extends Visit {
  readonly urlId: number;
  /** Fetched by a browser ahead of its reader. Only counted, not logged. */
  readonly prefetch: boolean;
  /** The number of visits. */
  readonly visits: number;
}

/** A row of the visit log. */
export interface VisitRow {
  user_agent: string | null;
  ip_address: string | null;
  referrer_host: string | null;
  visited_at: number;
  country: string | null;
  variant: string | null;
  visits: number;
}

type Row = VisitRow & { earlier: number };

/** Appends to the visit logs of links. */
export async function logVisits(db: Db, trx: Queryable, logged: readonly LoggedVisits[]): Promise<void> {
  const source = db.dialect.rowsOf('v', {
    u: 'bigint',
    t: 'bigint',
    a: 'text',
    i: 'text',
    r: 'text',
    c: 'text',
    w: 'text',
    n: 'bigint',
  });
  const list = logged.map((v) => [
    v.urlId,
    v.visitedAt,
    v.userAgent,
    v.ipAddress,
    v.referrerHost,
    v.country,
    v.variant,
    v.visits,
  ]);
  await query(
    trx,
    `INSERT INTO url_visits (url_id, visited_at, user_agent, ip_address, referrer_host, country, variant, visits)
     SELECT u, t, a, i, r, c, w, n FROM ${source}`,
    [JSON.stringify(list)],
  );
}

/** A section of a link's visits, newest first. Costs as much as all visits up to its end. */
export async function visitsOf(db: Queryable, urlId: number, { limit, offset }: Window): Promise<Visit[]> {
  // Each row has at least one visit; `earlier` is the number of visits in the rows before it.
  const found = await query<Row>(
    db,
    `SELECT * FROM (
       SELECT v.*, sum(visits) OVER (ORDER BY id DESC) - visits AS earlier
       FROM (SELECT * FROM url_visits WHERE url_id = ? ORDER BY id DESC LIMIT ?) AS v
     ) AS w WHERE earlier + visits > ? AND earlier < ? ORDER BY id DESC`,
    [urlId, offset + limit, offset, offset + limit],
  );
  const section: Visit[] = [];
  for (const row of found) {
    const visit = visitFromRow(row);
    const from = Math.max(offset, row.earlier);
    const to = Math.min(offset + limit, row.earlier + row.visits);
    for (let index = from; index < to; index += 1) section.push(visit);
  }
  return section;
}

/** A row of the log as a visit. */
export const visitFromRow = (row: VisitRow): Visit => ({
  userAgent: row.user_agent,
  ipAddress: row.ip_address,
  referrerHost: row.referrer_host,
  visitedAt: row.visited_at,
  country: row.country,
  variant: row.variant,
});

/** The row id of the last visit in the log of a link; 0 if there is none. */
export async function lastVisitOf(db: Queryable, urlId: number): Promise<number> {
  const [row] = await query<{ id: number | null }>(
    db,
    'SELECT max(id) AS id FROM url_visits WHERE url_id = ?',
    [urlId],
  );
  return row?.id ?? 0;
}

/** Rows of the log of a link from behind one row id up to another, in their order, at most `limit`. */
export async function visitsAfter(
  db: Queryable,
  urlId: number,
  after: number,
  last: number,
  limit: number,
): Promise<{ readonly id: number; readonly visits: number; readonly visit: Visit }[]> {
  const found = await query<VisitRow & { id: number }>(
    db,
    'SELECT * FROM url_visits WHERE url_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?',
    [urlId, after, last, limit],
  );
  return found.map((row) => ({ id: row.id, visits: row.visits, visit: visitFromRow(row) }));
}

/** Rows deleted from each table per transaction, so that other writers wait only milliseconds for the lock. */
const BATCH = 1_000;

const DAY = '(url_id, day, browser, system, referrer_host)';

/** Deletes some of the log entries before a moment, of all links; true once none are left. The counts stay. */
export async function deleteVisitsBefore(trx: Queryable, at: number): Promise<boolean> {
  // Visits are numbered in chronological order, so the oldest are found without an index on the time.
  const gone = await query(
    trx,
    `DELETE FROM url_visits WHERE id IN (SELECT id FROM url_visits ORDER BY id LIMIT ?) AND visited_at < ?
     RETURNING id`,
    [BATCH, at],
  );
  return gone.length < BATCH;
}

/**
 * Deletes some of the visits of a deleted link; true once none are left. Several may run at the same time:
 * rows that another has deleted but not committed yet count as left.
 */
export async function deleteVisits(trx: Queryable, urlId: number): Promise<boolean> {
  await query(
    trx,
    'DELETE FROM url_visits WHERE id IN (SELECT id FROM url_visits WHERE url_id = ? ORDER BY id LIMIT ?)',
    [urlId, BATCH],
  );
  await query(
    trx,
    `DELETE FROM visit_days WHERE ${DAY} IN (SELECT url_id, day, browser, system, referrer_host FROM visit_days
       WHERE url_id = ? ORDER BY day, browser, system, referrer_host LIMIT ?)`,
    [urlId, BATCH],
  );
  await query(
    trx,
    `DELETE FROM visit_countries WHERE (url_id, day, country) IN (
       SELECT url_id, day, country FROM visit_countries WHERE url_id = ? ORDER BY day, country LIMIT ?
     )`,
    [urlId, BATCH],
  );
  await query(
    trx,
    `DELETE FROM visit_variants WHERE (url_id, day, variant) IN (
       SELECT url_id, day, variant FROM visit_variants WHERE url_id = ? ORDER BY day, variant LIMIT ?
     )`,
    [urlId, BATCH],
  );
  const left = await query(
    trx,
    `SELECT 1 FROM url_visits WHERE url_id = ? UNION ALL SELECT 1 FROM visit_days WHERE url_id = ?
     UNION ALL SELECT 1 FROM visit_countries WHERE url_id = ?
     UNION ALL SELECT 1 FROM visit_variants WHERE url_id = ? LIMIT 1`,
    [urlId, urlId, urlId, urlId],
  );
  return left.length === 0;
}
