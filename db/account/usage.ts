import { dayOf } from '../engine/days.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { LimitType } from './limits.js';

/** What an account has created in the present UTC day and in the present week. */
export interface Used {
  readonly dayItems: number;
  readonly dayBytes: number;
  readonly weekItems: number;
  readonly weekBytes: number;
}

/** The usage of an account that has created nothing this week. */
export const NOTHING_USED: Used = { dayItems: 0, dayBytes: 0, weekItems: 0, weekBytes: 0 };

/** The week of a day, from Monday: the first day of the epoch was a Thursday. */
const weekOf = (day: number): number => Math.floor((day + 3) / 7);

/** The first day after the week of a day. */
export const nextMonday = (day: number): number => (weekOf(day) + 1) * 7 - 3;

interface Row {
  type: LimitType;
  day: number;
  week: number;
  day_items: number;
  day_bytes: number;
  week_items: number;
  week_bytes: number;
}

/** What is left of a row: the counts of a day or week that is over are zero. A clock that goes back gives nothing back. */
const fromRow = (row: Row, day: number): Used => ({
  dayItems: row.day >= day ? row.day_items : 0,
  dayBytes: row.day >= day ? row.day_bytes : 0,
  weekItems: row.week >= weekOf(day) ? row.week_items : 0,
  weekBytes: row.week >= weekOf(day) ? row.week_bytes : 0,
});

const later = (column: string) =>
  `${column} = CASE WHEN limit_usage.${column} > excluded.${column} THEN limit_usage.${column} ELSE excluded.${column} END`;
const added = (span: string, sum: string) =>
  `${span}_${sum} = excluded.${span}_${sum} +
     CASE WHEN limit_usage.${span} >= excluded.${span} THEN limit_usage.${span}_${sum} ELSE 0 END`;
const CHANGES = [
  later('day'),
  later('week'),
  ...['day', 'week'].flatMap((span) => ['items', 'bytes'].map((sum) => added(span, sum))),
].join(', ');

/**
 * Counts what an account creates, under each of these types, and returns the counts with it. From here to the commit
 * nobody else can count for this account under the first type, so what is decided by the counts is exact.
 */
export async function addUsage(
  trx: Queryable,
  ownerId: number,
  types: readonly LimitType[],
  { count, bytes }: { readonly count: number; readonly bytes: number },
  at: number,
): Promise<ReadonlyMap<LimitType, Used>> {
  const day = dayOf(at);
  const rows = await query<Row>(
    trx,
    `INSERT INTO limit_usage (owner_id, type, day, week, day_items, day_bytes, week_items, week_bytes)
     VALUES ${types.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}
     ON CONFLICT (owner_id, type) DO UPDATE SET ${CHANGES}
     RETURNING type, day, week, day_items, day_bytes, week_items, week_bytes`,
    types.flatMap((type) => [ownerId, type, day, weekOf(day), count, bytes, count, bytes]),
  );
  return new Map(rows.map((row) => [row.type, fromRow(row, day)]));
}

/** What an account has created, by type; types of which it has created nothing may be missing. */
export async function usageOf(
  db: Queryable,
  ownerId: number,
  at: number,
): Promise<ReadonlyMap<LimitType, Used>> {
  const rows: Row[] = await db('limit_usage').where('owner_id', ownerId);
  return new Map(rows.map((row) => [row.type, fromRow(row, dayOf(at))]));
}

/** The bytes of everything that an account keeps. */
export async function storedBytes(db: Queryable, ownerId: number): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    db,
    'SELECT coalesce(sum(bytes), 0) AS bytes FROM content_days WHERE owner_id = ?',
    [ownerId],
  );
  return Number(row?.bytes ?? 0);
}
