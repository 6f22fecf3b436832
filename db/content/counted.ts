import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { DAY_MS } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { Kind } from './kinds.js';

/** Which items are meant: null = any owner that is not deleted, any time; times in epoch milliseconds, the end exclusive. */
export interface CountedSpan {
  readonly kinds: readonly Kind[];
  readonly ownerId: number | null;
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * How many items there are outside of the trash, from the counts of days instead of the items. What is counted by the day
 * has no times: `rest` counts what the span has of a first and a last day.
 */
export async function countByDays(
  db: Db,
  { kinds, ownerId, from, to }: CountedSpan,
  rest: (from: number, to: number) => Promise<number>,
): Promise<number> {
  const first = from === null ? null : Math.ceil(from / DAY_MS);
  const end = to === null ? null : Math.floor(to / DAY_MS);
  if (from !== null && to !== null && (first ?? 0) >= (end ?? 0)) return from < to ? rest(from, to) : 0;
  const conditions = [
    ...(ownerId === null ? [`owner_id NOT IN ${DELETED_USERS}`] : ['owner_id = ?']),
    db.dialect.inStrings('kind'),
    ...(first === null ? [] : ['day >= ?']),
    ...(end === null ? [] : ['day < ?']),
  ];
  const values = [ownerId, JSON.stringify(kinds), first, end].filter((value) => value !== null);
  const edge = (since: number, until: number) => (since < until ? rest(since, until) : 0);
  const [[days], before, after] = await Promise.all([
    query<{ n: number | null }>(
      db.read,
      `SELECT sum(items) AS n FROM content_days WHERE ${conditions.join(' AND ')}`,
      values,
    ),
    from === null || first === null ? 0 : edge(from, first * DAY_MS),
    to === null || end === null ? 0 : edge(end * DAY_MS, to),
  ]);
  return Number(days?.n ?? 0) + before + after;
}
