import { DAY_MS } from '../../../db/engine/days.js';
import type { Span } from '../../base/text/span.js';

/** Named spans; days and weeks are UTC, a week starts on Monday. */
export const PRESETS = [
  'TODAY',
  'YESTERDAY',
  'THIS_WEEK',
  'THIS_YEAR',
  'LAST_60_MINUTES',
  'LAST_24_HOURS',
  'LAST_7_DAYS',
  'LAST_14_DAYS',
  'LAST_30_DAYS',
  'LAST_90_DAYS',
  'TOTAL',
] as const;
type Preset = (typeof PRESETS)[number];

/** Midnight (UTC) of the day of a moment. */
export const startOfDay = (at: number): number => Math.floor(at / DAY_MS) * DAY_MS;

/** The span of the last days up to now, including today. */
const lastDays = (days: number, now: number): Span => ({
  from: startOfDay(now) - (days - 1) * DAY_MS,
  to: now + 1,
  askedAt: now,
});

/** The span of a preset at a moment. */
export function presetSpan(preset: Preset, now: number): Span {
  const today = startOfDay(now);
  const since = (from: number): Span => ({ from, to: now + 1, askedAt: now });
  switch (preset) {
    case 'TODAY':
      return since(today);
    case 'YESTERDAY':
      return { from: today - DAY_MS, to: today, askedAt: now };
    case 'THIS_WEEK':
      // getUTCDay counts from Sunday.
      return since(today - ((new Date(now).getUTCDay() + 6) % 7) * DAY_MS);
    case 'THIS_YEAR':
      return since(Date.UTC(new Date(now).getUTCFullYear(), 0));
    case 'LAST_60_MINUTES':
      return since(now - 3_600_000);
    case 'LAST_24_HOURS':
      return since(now - DAY_MS);
    case 'LAST_7_DAYS':
      return lastDays(7, now);
    case 'LAST_14_DAYS':
      return lastDays(14, now);
    case 'LAST_30_DAYS':
      return lastDays(30, now);
    case 'LAST_90_DAYS':
      return lastDays(90, now);
    case 'TOTAL':
      return since(0);
  }
}
