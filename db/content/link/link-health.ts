import type { Db } from '../../engine/connect.js';
import { DAY_MS } from '../../engine/days.js';
import { query } from '../../engine/query.js';
import type { Queryable } from '../../engine/queryable.js';
import { unendedAt } from '../content-lookup.js';
import type { LinkRow } from './link.js';
import { type Link, shortUrlFromRow } from './link.js';

/** How often targets are looked at. */
const EVERY_MS = 7 * DAY_MS;

/** Links whose targets were to be looked at before a time, the longest ago first, without those that are over. */
export async function linksToCheck(db: Queryable, before: number, limit: number): Promise<Link[]> {
  const found = await query<LinkRow>(
    db,
    `SELECT * FROM short_urls WHERE check_at < ? AND ${unendedAt('url')} ORDER BY check_at LIMIT ?`,
    [before, before, limit],
  );
  return found.map(shortUrlFromRow);
}

/** Notes what looks at the targets of links found, given as `[row id, health]`; they are looked at again in a week. */
export async function noteHealth(
  db: Db,
  trx: Queryable,
  found: readonly (readonly [number, string])[],
  at: number,
): Promise<void> {
  const source = db.dialect.rowsOf('looked', { id: 'bigint', health: 'text' });
  await query(
    trx,
    `UPDATE short_urls SET health = looked.health, checked_at = ?, check_at = ? FROM ${source}
     WHERE short_urls.id = looked.id`,
    [at, at + EVERY_MS, JSON.stringify(found)],
  );
}
