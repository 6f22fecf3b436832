import { isUtf8 } from 'node:buffer';
import { ImportError } from '../port.js';
import type { Value } from './tables.js';

/** A text; null if there is none. */
export const text = (value: Value | undefined): string | null => {
  if (value === undefined || value === null) return null;
  if (value instanceof Buffer && !isUtf8(value))
    throw new ImportError(
      'the database has text that is not UTF-8: write a dump with --default-character-set=utf8mb4',
    );
  // PostgreSQL stores neither.
  return (value instanceof Buffer ? value.toString('utf8') : String(value))
    .replaceAll('\u0000', '')
    .toWellFormed();
};

/** A whole number; null if there is none. */
export const whole = (value: Value | undefined): number | null => {
  if (value === undefined || value === null || value === '') return null;
  const number = Math.trunc(Number(value));
  return Number.isSafeInteger(number) ? number : null;
};

/** A truth value in any of the spellings of databases. */
export const truth = (value: Value | undefined): boolean =>
  value === true || ['1', 't', 'true'].includes(String(value ?? '').toLowerCase());

/** Numbers up to this are seconds: as milliseconds they would be in 1970. */
const MAX_SECONDS = 100_000_000_000;
/** The last moment that a date can have. */
const MAX_MOMENT = 8.64e15;

/** A moment in epoch milliseconds; texts without a zone are in UTC. Null if there is none, or it cannot be read. */
export function moment(value: Value | undefined): number | null {
  const at = millisecondsOf(value);
  return at !== null && Math.abs(at) <= MAX_MOMENT ? at : null;
}

function millisecondsOf(value: Value | undefined): number | null {
  if (value === undefined || value === null || value === '') return null;
  if (value instanceof Date) return value.getTime();
  const number = Number(value);
  if (Number.isFinite(number)) return number < MAX_SECONDS ? Math.round(number * 1000) : Math.round(number);
  const written = String(value).trim().replace(' ', 'T');
  // Without a time, what looks like a zone is a day.
  const given = written.includes('T') ? /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.exec(written)?.[0] : undefined;
  const [local, zone] = given === undefined ? [written, 'Z'] : [written.slice(0, -given.length), given];
  // PostgreSQL leaves out the minutes of a zone.
  const at = Date.parse(`${local}${/^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone}`);
  return Number.isNaN(at) ? null : at;
}
