import { DAY_MS } from '../../../db/engine/days.js';
import { fail } from '../../base/errors.js';
import { localizable } from '../../base/language/localizable.js';
import type { EntryRules } from '../entry/entry-rules.js';

/** When an item ends, as its creator wishes: epoch milliseconds, `NEVER`, or null for what is usual here. */
type WishedEnd = number | 'NEVER' | null;

/**
 * When a new item expires; null for never. What is usual for its creator who does not say (else the longest
 * life). 400 if it would live longer than an item of its creator may.
 */
export function endOfNew(rules: Pick<EntryRules, 'lives'>, wished: WishedEnd): number | null {
  const { maxExpiryDays, defaultExpiryDays } = rules.lives;
  const usual = defaultExpiryDays ?? maxExpiryDays;
  const now = Date.now();
  if (wished === null) return usual === null ? null : now + usual * DAY_MS;
  return checkEnd(rules, now, wished === 'NEVER' ? null : wished);
}

/** Checks when an item that was created at `since` may expire; null for never. 400 if it would live too long. */
export function checkEnd(
  { lives }: Pick<EntryRules, 'lives'>,
  since: number,
  end: number | null,
): number | null {
  const days = lives.maxExpiryDays;
  if (days === null) return end;
  const last = since + days * DAY_MS;
  if (end !== null && end <= last) return end;
  // A date without a time means the end of its day, in any zone.
  if (end !== null && end <= last + DAY_MS) return last;
  return fail(
    'INVALID',
    localizable('expiresAt: An item can be kept for at most {days} days here', { days }),
  );
}
