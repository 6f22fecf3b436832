import { z } from 'zod';
import type { Fields } from '../../../rest-adapter/fields.js';
import { msg, t } from '../../../routers/base/language/i18n.js';
import type { Point } from '../components/chart.js';
import { dateWords, daysAgo } from '../format.js';

/** The days that a page of visits shows: the last ones, or those between two chosen ones. */
export interface VisitRange {
  /** Key of one of `RANGES`; null for chosen days. */
  readonly key: RangeKey | null;
  /** The first and the last UTC day, as `2026-01-31`. */
  readonly from: string;
  readonly to: string;
}

/** What can be chosen by one click: how many days, and their name. */
export const RANGES = [
  ['7', msg('7 days')],
  ['30', msg('30 days')],
  ['90', msg('90 days')],
  ['365', msg('12 months')],
] as const;
/** A span of days in the address of a page. */
type RangeKey = (typeof RANGES)[number][0];

const USUAL: RangeKey = '30';
const DAY_MS = 24 * 3600 * 1000;
/** More bars than this are too narrow to be told apart, so that each is a week then. */
const MAX_DAYS = 45;
/** Ten years; a chart of more says nothing. */
const MAX_SPAN = 3_660;

const dayIn = (text: string | undefined): string | null => z.iso.date().safeParse(text).data ?? null;

/** The range in an address; the last 30 days if it has none that makes sense. */
export function rangeOf(query: Fields): VisitRange {
  const today = daysAgo(0);
  const from = dayIn(query.text('from'));
  const to = dayIn(query.text('to')) ?? today;
  if (from !== null && from <= to && daysBetween(from, to) < MAX_SPAN) return { key: null, from, to };
  const key = RANGES.find(([days]) => days === query.text('days'))?.[0] ?? USUAL;
  return { key, from: daysAgo(Number(key) - 1), to: today };
}

/** The range as it is in an address. */
export const rangeQuery = ({ key, from, to }: VisitRange) => (key === null ? { from, to } : { days: key });

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** As many days before a range, as a query names them. */
export function datesBefore({ from, to }: VisitRange): {
  readonly fromDate: string;
  readonly toDate: string;
} {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const first = Date.parse(from);
  return { fromDate: day(first - (daysBetween(from, to) + 1) * DAY_MS), toDate: day(first - DAY_MS) };
}

interface Day {
  readonly first: string;
  readonly second: number;
  readonly bots: number;
}

/** In the language of the page: one bar for each day of the range, or for each week; 0 where there were no visits. */
export function barsOf({ from, to }: Pick<VisitRange, 'from' | 'to'>, counted: readonly Day[]): Point[] {
  const byDay = new Map(counted.map((day) => [day.first, day]));
  const length = daysBetween(from, to) + 1;
  const step = length > MAX_DAYS ? 7 : 1;
  return Array.from({ length: Math.ceil(length / step) }, (_, bar) => {
    const days = Array.from({ length: Math.min(step, length - bar * step) }, (_, index) =>
      new Date(Date.parse(from) + (bar * step + index) * DAY_MS).toISOString().slice(0, 10),
    );
    const sum = (of: 'second' | 'bots') =>
      days.reduce((total, day) => total + (byDay.get(day)?.[of] ?? 0), 0);
    const [first = from, last = first] = [days[0], days.at(-1)];
    const label =
      first === last
        ? dateWords(first)
        : t('{from} to {to}', { from: dateWords(first), to: dateWords(last) });
    return { label, value: sum('second'), bots: sum('bots') };
  });
}
