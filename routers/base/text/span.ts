import { z } from 'zod';
import { fail } from '../errors.js';
import { dateEndInput, dateInput, iso } from './dates.js';

/** A requested period; both ends are optional. */
export const spanInput = z.object({
  fromDate: dateInput.nullish(),
  toDate: dateEndInput.nullish(),
});

/** A span `[from, to)` in epoch milliseconds, and when it was asked for. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly askedAt: number;
}

/** A period in responses: both ends included. */
export const spanRecord = (span: Span): { fromDate: string; toDate: string } => ({
  fromDate: iso(span.from),
  toDate: iso(span.to - 1),
});

/**
 * Fills in missing ends: from the epoch until now, or until just after a start in the future, because clients
 * ahead of UTC may send tomorrow's date. Refuses a start after the end.
 */
export function spanOf(input: z.output<typeof spanInput>): Span {
  const askedAt = Date.now();
  const from = input.fromDate ?? 0;
  const to = input.toDate ?? Math.max(askedAt, from) + 1;
  if (from >= to) fail('INVALID', 'fromDate must not be after toDate');
  return { from, to, askedAt };
}
