import type { Db } from '../db/connect.js';
import { type Counted, countPoints, forgetPoints, uncountPoint } from '../db/rate-limit.js';

/** Where rate limits count. Keys are short. */
export interface LimitStore {
  /** Counts points and answers the sum of the current span, which lasts `spanMs` from its first point on. */
  count(key: string, points: number, spanMs: number): Promise<Counted>;
  /** Takes one point back. */
  uncount(key: string): Promise<void>;
  forget(key: string): Promise<void>;
}

/** Keys remembered at once; past it the oldest are let go. */
const KEYS = 100_000;

/** Counts in this process. */
export function createMemoryStore(): LimitStore {
  /** In the order of the first points of their spans. */
  const spans = new Map<string, Counted>();

  return {
    count: async (key, points, spanMs) => {
      const at = Date.now();
      const before = spans.get(key);
      const running = before !== undefined && before.resetsAt > at;
      const counted = running
        ? { ...before, points: before.points + points }
        : { points, resetsAt: at + spanMs };
      if (!running) spans.delete(key);
      spans.set(key, counted);
      for (const [oldest, { resetsAt }] of spans) {
        if (resetsAt > at && spans.size <= KEYS) break;
        spans.delete(oldest);
      }
      return counted;
    },
    uncount: async (key) => {
      const before = spans.get(key);
      if (before !== undefined) spans.set(key, { ...before, points: Math.max(0, before.points - 1) });
    },
    forget: async (key) => {
      spans.delete(key);
    },
  };
}

/** Counts exactly among all processes that share the database. */
export const createDatabaseStore = (db: Db): LimitStore => ({
  count: (key, points, spanMs) => {
    const at = Date.now();
    return db.write((trx) => countPoints(trx, key, points, at, at + spanMs));
  },
  uncount: (key) => db.write((trx) => uncountPoint(trx, key)),
  forget: (key) => db.write((trx) => forgetPoints(trx, key)),
});
