import { createHash } from 'node:crypto';
import { fail } from '../../../routers/base/errors.js';
import { type Limit, type Limits, RATES } from '../../../routers/base/ports/limits.js';
import type { LimitStore } from './limit-store.js';

/** Rate limits over a store; null disables them (RATE_LIMIT=off). */
export function createLimits(store: LimitStore | null): Limits {
  return {
    take: async (limit, subject, points = 1) => {
      if (store === null) return;
      const rule = RATES[limit];
      const counted = await store.count(limit, keyOf(limit, subject), points, rule.duration * 1000);
      if (counted.points <= rule.points) return;
      fail('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(counted.leftMs / 1000)) });
    },
    clear: async (limit, subject) => store?.forget(limit, keyOf(limit, subject)),
    refund: async (limit, subject) => store?.uncount(limit, keyOf(limit, subject)),
  };
}

/** Hashed, because subjects can be of any length and identify people. */
const keyOf = (limit: Limit, subject: string): string =>
  createHash('sha256').update(`${limit}|${subject}`).digest('base64url');
