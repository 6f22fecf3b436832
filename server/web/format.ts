const number = new Intl.NumberFormat('en');
const dateTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** Whole numbers with separators: `12,345`. */
export function count(value: number): string {
  return number.format(value);
}

/** `1 visit`, `2 visits`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A time in UTC for display: `21 Nov 2026, 07:50 UTC`. */
export function moment(iso: string): string {
  return `${dateTime.format(new Date(iso))} UTC`;
}

/** A time rounded up to the full minute, in UTC for display: `07:50 UTC`. */
export function clock(at: number): string {
  return `${new Date(Math.ceil(at / 60_000) * 60_000).toISOString().slice(11, 16)} UTC`;
}

/** The length of a video or audio file: `1:05`, `1:02:03`. */
export function duration(milliseconds: number): string {
  const total = Math.round(milliseconds / 1000);
  const parts = [Math.floor(total / 60) % 60, total % 60].map((part) => String(part).padStart(2, '0'));
  const hours = Math.floor(total / 3600);
  return hours > 0 ? `${hours}:${parts.join(':')}` : `${Number(parts[0])}:${parts[1]}`;
}

const DAY_MS = 24 * 3600 * 1000;

/** The UTC day that was this many days ago, as `2026-01-31`. */
export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
