import { DAY_MS } from '../../../db/engine/days.js';
import { parseMoment } from '../../base/text/dates.js';

/** The bound of a rule: an instant, or a time of day in a zone. */
export type Bound =
  | { readonly at: number }
  | { readonly ms: number; readonly zone: string | number; readonly offset: (at: number) => number };

const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;
const TIME =
  /^([01]\d|2[0-3]):([0-5]\d)(?:(Z)|([+-])(0\d|1[0-4]):([0-5]\d)| ([A-Za-z]+(?:[/_+-][A-Za-z0-9]+){1,5}))$/;
const MINUTE_MS = 60_000;

/** Reads `2030-01-31T12:00Z`, `08:00Z`, `08:00+02:00` or `08:00 Europe/Berlin`; null for anything else. */
export function parseBound(text: string): Bound | null {
  if (INSTANT.test(text)) {
    const moment = parseMoment(text);
    return moment === null ? null : { at: moment.at };
  }
  const [, hours, minutes, utc, sign, zoneHours, zoneMinutes, place = ''] = TIME.exec(text) ?? [];
  if (hours === undefined) return null;
  const ms = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  if (utc !== undefined || sign !== undefined) {
    const fixed =
      (Number(zoneHours ?? 0) * 60 + Number(zoneMinutes ?? 0)) * MINUTE_MS * (sign === '-' ? -1 : 1);
    return { ms, zone: fixed, offset: () => fixed };
  }
  const clock = clockOf(place);
  return clock === null ? null : { ms, zone: place, offset: clock };
}

/** By name in lower case: there are only so many zones, but each can be written in many ways. */
const clocks = new Map<string, (at: number) => number>();

/** How far a zone is ahead of UTC at a moment; null for a zone that is not known. */
function clockOf(zone: string): ((at: number) => number) | null {
  const name = zone.toLowerCase();
  const known = clocks.get(name);
  if (known !== undefined) return known;
  try {
    const format = new Intl.DateTimeFormat('en', {
      ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    const clock = (at: number): number => {
      const of = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
      const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = of;
      return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
    };
    clocks.set(name, clock);
    return clock;
  } catch {
    return null;
  }
}

const onDay = (ms: number): number => ((ms % DAY_MS) + DAY_MS) % DAY_MS;

/** Whether a moment is from one bound on and before the other; times of day run over midnight. */
export function isWithin(from: Bound | null, to: Bound | null, at: number): boolean {
  if (from !== null && 'at' in from && at < from.at) return false;
  if (to !== null && 'at' in to && at >= to.at) return false;
  const begin = from === null || 'at' in from ? null : from;
  const end = to === null || 'at' in to ? null : to;
  if (begin === null && end === null) return true;
  // Without the other bound the day of the zone is that.
  const utcOf = (bound: Exclude<Bound, { at: number }>, ms: number) => onDay(ms - bound.offset(at));
  const one = begin === null ? utcOf(end as never, 0) : utcOf(begin, begin.ms);
  const other = end === null ? utcOf(begin as never, 0) : utcOf(end, end.ms);
  const now = onDay(at);
  return one === other ? end === null : one < other ? now >= one && now < other : now >= one || now < other;
}
