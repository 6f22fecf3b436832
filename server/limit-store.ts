import type { Db } from '../db/connect.js';
import { countPoints, forgetPoints, uncountPoint } from '../db/rate-limit.js';

/** What was counted in the current span of a limit. */
export interface Counted {
  readonly points: number;
  /** How long the span still lasts, in milliseconds. */
  readonly leftMs: number;
}

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

/** A span in this process, whose end is a time since its start: clocks may be set. */
interface Span {
  readonly points: number;
  readonly endsAt: number;
}

/** Counts in this process. */
export function createMemoryStore(): LimitStore {
  /** In the order of the first points of their spans. */
  const spans = new Map<string, Span>();

  return {
    count: async (key, points, spanMs) => {
      const at = performance.now();
      const before = spans.get(key);
      const running = before !== undefined && before.endsAt > at;
      const span = running ? { ...before, points: before.points + points } : { points, endsAt: at + spanMs };
      if (!running) spans.delete(key);
      spans.set(key, span);
      for (const [oldest, { endsAt }] of spans) {
        if (endsAt > at && spans.size <= KEYS) break;
        spans.delete(oldest);
      }
      return { points: span.points, leftMs: span.endsAt - at };
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
  count: async (key, points, spanMs) => {
    const at = Date.now();
    const counted = await db.write((trx) => countPoints(trx, key, points, at, at + spanMs));
    return { points: counted.points, leftMs: counted.resetsAt - at };
  },
  uncount: (key) => db.write((trx) => uncountPoint(trx, key)),
  forget: (key) => db.write((trx) => forgetPoints(trx, key)),
});
