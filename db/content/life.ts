/**
 * Whether an item lives: each rule as a function and as a condition of SQL, side by side. `test/unit/life.test.ts`
 * compares them over all combinations on both databases.
 */

/** What may come to an end by time or be withheld. */
export interface Mortal {
  /** Epoch milliseconds, or null for no end. */
  readonly expiresAt: number | null;
  /** Why it is in quarantine; null or absent if it is not. */
  readonly quarantine?: string | null;
}

/** Whether its time is over. */
export const isExpired = ({ expiresAt }: Pick<Mortal, 'expiresAt'>, at = Date.now()): boolean =>
  expiresAt !== null && expiresAt <= at;
/** As `!isExpired`, at a moment that is passed as a bound value. */
export const UNEXPIRED = '(expires_at IS NULL OR expires_at > ?)';

/** Whether something with a limit of uses (null for none) has none left. */
export const isUsedUp = (used: number, limit: number | null): boolean => limit !== null && used >= limit;
/** As `!isUsedUp`, with the columns of the uses and of their limit. */
export const usesLeft = (used: string, limit: string): string => `(${limit} IS NULL OR ${used} < ${limit})`;

/** Whether only its owner and moderators see it. */
export const isQuarantined = ({ quarantine }: Pick<Mortal, 'quarantine'>): boolean =>
  (quarantine ?? null) !== null;
/** As `!isQuarantined`. */
export const UNQUARANTINED = 'quarantine IS NULL';

/** Whether it is over for everybody but its owner and moderators: expired, or in quarantine. */
export const isUnavailable = (item: Mortal, at?: number): boolean =>
  isQuarantined(item) || isExpired(item, at);

/** It is not in the trash. A loaded row never is: lookups leave the trash out. */
export const KEPT = 'trashed_at IS NULL';
