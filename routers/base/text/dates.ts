import { z } from 'zod';
import { DAY_MS } from '../../../db/engine/days.js';
import { rule } from '../language/rules.js';
import { isBlank } from './blank.js';

/** Smaller numbers are seconds, others milliseconds (as seconds, the limit is in the year 5138). */
const MAX_EPOCH_SECONDS = 100_000_000_000;
/** The first millisecond of the year 0 and the last of 9999: other years do not have four digits in ISO form. */
const FIRST_MS = -62_167_219_200_000;
const LAST_MS = 253_402_300_799_999;
const TEXT_DATE =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)\s?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
/** A date whose plus sign was decoded as a space in a query. */
const LOST_PLUS = /^(\d{4}-\d{2}-\d{2}T[\d:.,]{5,18}) (\d{2}(?::?\d{2})?)$/i;

/** A parsed time; `wholeDay` if it was only a date, so that the end of a period can include that day. */
interface Moment {
  readonly at: number;
  readonly wholeDay: boolean;
}

/** The last millisecond of a time used as an end: a date includes its whole day. */
export const endOf = ({ at, wholeDay }: Moment): number => (wholeDay ? at + DAY_MS - 1 : at);

/** Parses every date form of contract §2; null for anything else. No zone means UTC. */
export function parseMoment(value: string | number): Moment | null {
  const text = String(value).trim();
  if (/^\d{1,16}(\.\d+)?$/.test(text)) {
    const number = Number(text);
    const at = Math.trunc(number < MAX_EPOCH_SECONDS ? number * 1000 : number);
    return at <= LAST_MS ? { at, wholeDay: false } : null;
  }
  const match = TEXT_DATE.exec(text.replace(LOST_PLUS, '$1+$2'));
  if (match === null) return null;
  const [, day = '', time, zone = 'Z'] = match;
  const offset = zone.length === 3 ? `${zone}:00` : zone.toUpperCase();
  const at = Date.parse(`${day}T${(time ?? '00:00').replace(',', '.')}${offset}`);
  if (!(at >= FIRST_MS && at <= LAST_MS)) return null;
  // Date.parse accepts the 31st of February and rolls it over.
  const [, month, date] = day.split('-').map(Number);
  const calendar = new Date(`${day}T00:00Z`);
  if (calendar.getUTCMonth() + 1 !== month || calendar.getUTCDate() !== date) return null;
  return { at, wholeDay: time === undefined };
}

const given = z.union([z.string().max(64), z.number()]);
const ADVICE = rule('use a date like YYYY-MM-DD, ISO 8601 or epoch seconds');

/** A moment; becomes epoch milliseconds. Null if the field was left empty. */
export const dateInput = given.transform((value, ctx) => {
  if (isBlank(value)) return null;
  const moment = parseMoment(value);
  if (moment !== null) return moment.at;
  ctx.addIssue({ code: 'custom', message: ADVICE });
  return z.NEVER;
});

/** The end of a period; becomes the first millisecond after it. */
export const dateEndInput = given.transform((value, ctx) => {
  if (isBlank(value)) return null;
  const moment = parseMoment(value);
  if (moment !== null) return endOf(moment) + 1;
  ctx.addIssue({ code: 'custom', message: ADVICE });
  return z.NEVER;
});

type GivenEnd = string | number | null | undefined;

const readEnd = (value: GivenEnd, ctx: z.RefinementCtx): number | null => {
  if (isBlank(value)) return null;
  const moment = parseMoment(value);
  if (moment !== null) return endOf(moment);
  ctx.addIssue({ code: 'custom', message: ADVICE });
  return z.NEVER;
};

const readExpiry = (value: GivenEnd, ctx: z.RefinementCtx): number | null => {
  const at = readEnd(value, ctx);
  if (at === null || at > Date.now()) return at;
  ctx.addIssue({ code: 'custom', message: 'must be in the future' });
  return z.NEVER;
};

/** Input fields `from` and `to` of a list: a date without time at the end includes that day. */
export const spanFields = { from: dateInput.nullish(), to: dateEndInput.nullish() };

/** An expiry date in the future; "" and null mean never. */
export const expiryInput = z.union([given, z.null()]).optional().transform(readExpiry);

/** As `expiryInput`, for a change: absent keeps. */
export const changedExpiryInput = z.union([given, z.null()]).transform(readExpiry).optional();

/** As `changedExpiryInput`, but a moment that is over ends something at once. */
export const changedEndInput = z.union([given, z.null()]).transform(readEnd).optional();

/** As `expiryInput`, but also says whether somebody wants no end: `never` is not the same as nothing. */
export const wishedEndInput = z
  .union([given, z.null()])
  .optional()
  .transform((value, ctx) => {
    if (typeof value === 'string' && value.trim().toLowerCase() === 'never') return 'NEVER' as const;
    const end = expiryInput.safeParse(value);
    if (end.success) return end.data;
    ctx.addIssue({ code: 'custom', message: end.error.issues[0]?.message ?? ADVICE });
    return z.NEVER;
  });

/** The format of moments in responses: ISO 8601, UTC, milliseconds. */
export const iso = (at: number): string => new Date(at).toISOString();

/** As `iso`, for optional moments. */
export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
