import { z } from 'zod';
import { rule } from '../../base/language/rules.js';
import { endOf, parseMoment } from '../../base/text/dates.js';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
const MIN_MS = 1_000;
/** Ten years; anything longer can use "never". */
const MAX_MS = 3_653 * 86_400_000;
const ADVICE = rule('use seconds, a duration like 30m, 12h or 7d, or "never"');

const isNever = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'string' && /^never$/i.test(value));

/** Seconds or text like `1h`, in milliseconds; null if it is neither. */
function parseSpan(value: string | number): number | null {
  const [, amount, unit] = /^(\d{1,10})\s*([smhdw]?)$/i.exec(String(value).trim()) ?? [];
  if (amount === undefined) return null;
  const span = Number(amount) * (UNITS[unit?.toLowerCase() || 's'] ?? 0);
  return span >= MIN_MS && span <= MAX_MS ? span : null;
}

const given = z.union([z.string().max(64), z.number(), z.null()], { error: ADVICE });

/** A lifetime in milliseconds; null means forever. */
export const lifetimeInput = given.optional().transform((value, ctx) => {
  if (value === undefined || value === null || isNever(value)) return null;
  const span = parseSpan(value);
  if (span !== null) return span;
  ctx.addIssue({ code: 'custom', message: ADVICE });
  return z.NEVER;
});

/** When something expires: a duration from now or a future date, as epoch milliseconds; null means never. */
export const endInput = given.transform((value, ctx) => {
  if (value === null || isNever(value)) return null;
  // A number up to ten years in seconds is a duration, a larger one is a date.
  const span = parseSpan(value);
  const moment = span === null ? parseMoment(value) : null;
  const at = span === null ? moment && endOf(moment) : Date.now() + span;
  if (at !== null && at > Date.now()) return at;
  ctx.addIssue({
    code: 'custom',
    message: 'use seconds, a duration like 30m, 12h or 7d, or "never", or a date in the future',
  });
  return z.NEVER;
});
