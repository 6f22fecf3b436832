import { DELETED_USERS } from '../account/account.js';
import type { Db } from '../engine/connect.js';
import { DAY_MS } from '../engine/days.js';
import { query } from '../engine/query.js';
import { OPEN } from './content.js';
import { KIND_STORAGE, type Kind } from './kinds.js';
import { KEPT } from './life.js';

/** Which items are meant: null = any owner that is not deleted, any time; times in epoch milliseconds, the end exclusive. */
export interface CountedSpan {
  readonly kinds: readonly Kind[];
  readonly ownerId: number | null;
  readonly from: number | null;
  readonly to: number | null;
  /** Only what is public and has no password. */
  readonly isOpen?: boolean;
}

/**
 * How many items there are outside of the trash, from the counts of days; only what the span has of a first and a last day
 * is counted as rows.
 */
export async function countByDays(db: Db, span: CountedSpan): Promise<number> {
  const { kinds, ownerId, from, to } = span;
  const first = from === null ? null : Math.ceil(from / DAY_MS);
  const end = to === null ? null : Math.floor(to / DAY_MS);
  if (from !== null && to !== null && (first ?? 0) >= (end ?? 0)) return countRows(db, span, from, to);
  const conditions = [
    ownerCondition(ownerId),
    db.dialect.inStrings('kind'),
    ...(first === null ? [] : ['day >= ?']),
    ...(end === null ? [] : ['day < ?']),
  ];
  const values = [ownerId, JSON.stringify(kinds), first, end].filter((value) => value !== null);
  const [[days], before, after] = await Promise.all([
    query<{ n: number | null }>(
      db.read,
      `SELECT sum(${span.isOpen === true ? 'open_items' : 'items'}) AS n FROM content_days WHERE ${conditions.join(' AND ')}`,
      values,
    ),
    from === null || first === null ? 0 : countRows(db, span, from, first * DAY_MS),
    to === null || end === null ? 0 : countRows(db, span, end * DAY_MS, to),
  ]);
  return Number(days?.n ?? 0) + before + after;
}

/** How many items of a kind there are outside of the trash of each month (`2026-01`, UTC) that has some, the newest first. */
export async function countByMonths(
  db: Db,
  { kind, ownerId }: { readonly kind: Kind; readonly ownerId: number },
): Promise<{ readonly month: string; readonly items: number }[]> {
  const days = await query<{ day: number; n: number }>(
    db.read,
    'SELECT day, sum(items) AS n FROM content_days WHERE owner_id = ? AND kind = ? GROUP BY day ORDER BY day DESC',
    [ownerId, kind],
  );
  const months = new Map<string, number>();
  for (const { day, n } of days) {
    const month = new Date(day * DAY_MS).toISOString().slice(0, 7);
    months.set(month, (months.get(month) ?? 0) + Number(n));
  }
  return [...months].flatMap(([month, items]) => (items > 0 ? { month, items } : []));
}

const ownerCondition = (ownerId: number | null): string =>
  ownerId === null ? `owner_id NOT IN ${DELETED_USERS}` : 'owner_id = ?';

/** How many of the images in a span are files of packs, outside of the trash. */
export async function countPacked(
  db: Db,
  { ownerId, from, to }: Pick<CountedSpan, 'ownerId' | 'from' | 'to'>,
): Promise<number> {
  const conditions = [
    ownerCondition(ownerId),
    KEPT,
    ...(from === null ? [] : ['created_at >= ?']),
    ...(to === null ? [] : ['created_at < ?']),
  ];
  const [row] = await query<{ n: number }>(
    db.read,
    `SELECT count(*) AS n FROM images WHERE id IN
       (SELECT image_id FROM collection_items WHERE address IS NOT NULL) AND ${conditions.join(' AND ')}`,
    [ownerId, from, to].filter((value) => value !== null),
  );
  return Number(row?.n ?? 0);
}

async function countRows(
  db: Db,
  { kinds, ownerId, isOpen = false }: CountedSpan,
  from: number,
  to: number,
): Promise<number> {
  if (from >= to) return 0;
  const counts = kinds.map(
    (kind) =>
      `SELECT count(*) AS n FROM ${KIND_STORAGE[kind].table}
       WHERE ${ownerCondition(ownerId)} AND created_at >= ? AND created_at < ? AND ${KEPT} ${isOpen ? `AND ${OPEN}` : ''}`,
  );
  const values = kinds.flatMap(() => (ownerId === null ? [from, to] : [ownerId, from, to]));
  const counted = await query<{ n: number }>(db.read, counts.join(' UNION ALL '), values);
  return counted.reduce((sum, { n }) => sum + Number(n), 0);
}
