import { DomainError, fail } from '../../../routers/base/errors.js';
import type { Turns } from '../../../routers/base/ports/sharing.js';
import { createConcurrencyLimit } from './concurrency-limit.js';

/** How many turns there are at once, how many wait and how long, and how many of all these one holder has. */
export interface TurnRules {
  readonly atOnce: number;
  readonly waiting: number;
  readonly patienceMs: number | null;
  readonly perHolder: number;
}

/**
 * A concurrency limit that nobody can fill alone: a holder with as many running and waiting turns as allowed is
 * refused with TOO_MANY_REQUESTS, while others are served. When it is full, so is everybody.
 */
export function createTurns({ atOnce, waiting, patienceMs, perHolder }: TurnRules): Turns {
  const busy = () => new DomainError('TOO_MANY_REQUESTS', { retryAfter: 1 });
  const limit = createConcurrencyLimit(atOnce, waiting, patienceMs, busy);
  const taken = new Map<string, number>();
  return async (holder, work) => {
    const before = taken.get(holder) ?? 0;
    if (before >= perHolder) fail('TOO_MANY_REQUESTS', { retryAfter: 1 });
    taken.set(holder, before + 1);
    try {
      return await limit(work);
    } finally {
      const left = (taken.get(holder) ?? 1) - 1;
      if (left > 0) taken.set(holder, left);
      else taken.delete(holder);
    }
  };
}
