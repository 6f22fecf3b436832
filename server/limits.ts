import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Limit, Limits } from '../routers/context.js';
import { fail } from '../routers/errors.js';

/** Points in a span of seconds, per subject. */
const RULES: Readonly<Record<Limit, { readonly points: number; readonly duration: number }>> = {
  /** Wrong passwords for one account from one address. */
  login: { points: 15, duration: 15 * 60 },
  /** Wrong passwords for any account from one address. */
  loginAddress: { points: 300, duration: 15 * 60 },
  /** Registrations from one address. */
  register: { points: 200, duration: 15 * 60 },
  /** Tries of codes and requests for them, per account and per address. */
  code: { points: 30, duration: 15 * 60 },
  /** Wrong passwords for one item from one address. */
  itemPassword: { points: 50, duration: 15 * 60 },
  /** Items one account creates. */
  create: { points: 1_200, duration: 60 },
  /** Mails one account or address causes. */
  mail: { points: 10, duration: 60 * 60 },
  /** Test calls of one account's webhook. */
  webhookTest: { points: 20, duration: 10 * 60 },
};

/** Rate limits held in this process; `enabled` false lets everything through (RATE_LIMIT=off). */
export function createLimits(enabled: boolean): Limits {
  const limiters = new Map(
    Object.entries(RULES).map(([name, rule]) => [name, new RateLimiterMemory({ keyPrefix: name, ...rule })]),
  );
  return {
    take: async (limit, subject, points = 1) => {
      if (!enabled) return;
      try {
        await limiters.get(limit)?.consume(subject, points);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        fail('TOO_MANY_REQUESTS', { retryAfter: Math.max(1, Math.ceil(error.msBeforeNext / 1000)) });
      }
    },
    clear: async (limit, subject) => {
      if (enabled) await limiters.get(limit)?.delete(subject);
    },
    giveBack: async (limit, subject) => {
      if (enabled) await limiters.get(limit)?.reward(subject, 1);
    },
  };
}
