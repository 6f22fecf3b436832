import type { Queryable } from './connect.js';
import { query } from './query.js';

/** Rows of each table that go in one transaction, so that whoever waits for the write lock waits for milliseconds. */
const BATCH = 1_000;

const DAY = '(url_id, day, browser, system, referrer_host)';

/** Removes some of the visits before a moment from the logs of all links; true once none is left. The counts stay. */
export async function forgetVisitsBefore(trx: Queryable, at: number): Promise<boolean> {
  // Visits are numbered in the order of their time, so the oldest are found without an index of it.
  const gone = await query(
    trx,
    `DELETE FROM url_visits WHERE id IN (SELECT id FROM url_visits ORDER BY id LIMIT ?) AND visited_at < ?
     RETURNING id`,
    [BATCH, at],
  );
  return gone.length < BATCH;
}

/**
 * Removes some of the visits of a link that is gone; true once none is left. Several may do so at the same time:
 * what another has removed and not committed yet counts as left.
 */
export async function forgetVisits(trx: Queryable, urlId: number): Promise<boolean> {
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
  const left = await query(
    trx,
    'SELECT 1 FROM url_visits WHERE url_id = ? UNION ALL SELECT 1 FROM visit_days WHERE url_id = ? LIMIT 1',
    [urlId, urlId],
  );
  return left.length === 0;
}
