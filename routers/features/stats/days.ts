import { z } from 'zod';
import { DAY_MS, dayOf } from '../../../db/engine/days.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import type { Span } from '../../base/text/span.js';

/** One day of a series: the UTC day and its count. */
export const dayEntry = z.object({ first: z.iso.date(), second: z.int() });
type DayEntry = z.output<typeof dayEntry>;

/** Maximum number of filled-in days: enough for all days since the epoch. */
const MAX_DAYS = 40_000;

/** A day number as `YYYY-MM-DD`. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

interface Layout {
  readonly span: Span;
  /** Whether every day of the span gets an entry. */
  readonly fillMissing: boolean;
  /** At most this many of the newest days; 0 means all. */
  readonly limit: number;
}

/** Number of entries in a series with filled-in days; 0 if only days with items have entries. */
export function filledDays({ span, fillMissing, limit }: Layout): number {
  if (!fillMissing) return 0;
  const days = Math.min(dayOf(span.to - 1) - dayOf(span.from) + 1, MAX_DAYS);
  return limit === 0 ? days : Math.min(days, limit);
}

/**
 * Lays out counts by day, ascending. With `fillMissing` both ends of the span are included; refuses a span
 * with too many days.
 */
export function series(counts: readonly { day: number; items: number }[], layout: Layout): DayEntry[] {
  const { span, limit } = layout;
  if (!layout.fillMissing) {
    const newest = limit === 0 ? counts : counts.slice(-limit);
    return newest.map(({ day, items }) => ({ first: dayText(day), second: items }));
  }
  const last = dayOf(span.to - 1);
  const first = limit === 0 ? dayOf(span.from) : Math.max(dayOf(span.from), last - limit + 1);
  if (last - first >= MAX_DAYS)
    fail('INVALID', localizable('fillMissing covers at most {max} days', { max: MAX_DAYS }));
  const byDay = new Map(counts.map(({ day, items }) => [day, items]));
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    first: dayText(first + index),
    second: byDay.get(first + index) ?? 0,
  }));
}
