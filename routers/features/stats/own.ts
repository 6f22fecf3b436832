import { z } from 'zod';
import { DAY_MS } from '../../../db/engine/days.js';
import { itemsPerDay } from '../../../db/statistics/stats.js';
import { allByKind, byName, byPlural, KIND_NAMES, KINDS, type Kind } from '../../base/kinds.js';
import { type Span, spanInput, spanOf } from '../../base/text/span.js';
import type { AccountContext } from '../../core/context.js';
import { buildAnswer } from '../../core/large-answer.js';
import { dayEntry, dayText, filledDays, series } from './days.js';
import { startOfDay } from './presets.js';

const DEFAULT_DAYS = 7;

/** The days of an account's statistics. */
export const ownInput = spanInput.extend({
  fillMissing: z.boolean().nullish(),
  limit: z.int().min(0).max(1000).nullish(),
});
type OwnInput = z.output<typeof ownInput>;

/** The series of each kind. */
const perDay = <T>(of: (kind: Kind) => T) =>
  byName((kind) => `${KIND_NAMES[kind].plural}PerDay` as const, of);

/** The statistics of an account by day (contract §3, Stats). */
export const ownStats = z.object({
  totalImages: z.int(),
  ...perDay(() => z.array(dayEntry)),
});

/** The requested span; seven days long without a start, and until now without an end. */
export function ownSpan(input: z.output<typeof spanInput>): Span {
  const asked = spanOf({ ...input, fromDate: Math.max(input.fromDate ?? 0, 0) });
  if (input.fromDate != null) return asked;
  return { ...asked, from: Math.max(startOfDay(asked.to - 1) - (DEFAULT_DAYS - 1) * DAY_MS, 0) };
}

/** Memory that one day takes in a response, in the three series together. */
const DAY_BYTES = 1024;

/** The items that an account has created in a span, by day. Deleted items no longer count. */
export async function getOwnStats(ctx: AccountContext, input: OwnInput): Promise<z.output<typeof ownStats>> {
  const span = ownSpan(input);
  const layout = { span, fillMissing: input.fillMissing === true, limit: input.limit ?? 0 };
  const { db } = ctx.app;
  return buildAnswer(ctx, DAY_BYTES * filledDays(layout), async () => {
    const days = await allByKind((kind) => itemsPerDay(db, kind, ctx.account.id, span));
    return {
      totalImages: days.image.reduce((total, { items }) => total + items, 0),
      ...perDay((kind) => series(days[kind], layout)),
    };
  });
}

/** The days and the format of an export. */
export const exportInput = spanInput.extend({
  format: z
    .string()
    .nullish()
    .transform((value) => value?.toLowerCase() ?? 'json')
    .pipe(z.enum(['csv', 'json'])),
});

/** One day of an export; `bytes` includes items of every kind. */
export const exportedDay = z.object({
  day: z.iso.date(),
  ...byPlural(() => z.int()),
  bytes: z.int(),
});
type ExportedDay = z.output<typeof exportedDay>;

/** The statistics of an account, one entry for each day on which it created something, ascending. */
export async function exportOwnStats(
  ctx: AccountContext,
  input: z.output<typeof exportInput>,
): Promise<ExportedDay[]> {
  const span = spanOf(input);
  const days = new Map<number, ExportedDay>();
  const counts = await ctx.app.db.behind((db) =>
    allByKind((kind) => itemsPerDay(db, kind, ctx.account.id, span)),
  );
  for (const kind of KINDS) {
    for (const { day, items, bytes } of counts[kind]) {
      const known = days.get(day) ?? { day: dayText(day), ...byPlural(() => 0), bytes: 0 };
      days.set(day, { ...known, [KIND_NAMES[kind].plural]: items, bytes: known.bytes + bytes });
    }
  }
  return [...days].sort(([a], [b]) => a - b).map(([, entry]) => entry);
}

const COLUMNS = ['day', ...KINDS.map((kind) => KIND_NAMES[kind].plural), 'bytes'] as const;

/** The export as CSV (RFC 4180) with a header line. */
export const toCsv = (days: readonly ExportedDay[]): string =>
  [COLUMNS, ...days.map((entry) => COLUMNS.map((column) => entry[column]))]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
