import type { Db } from '../../db/connect.js';
import { countPoints, deletePoints, uncountPoint } from '../../db/rate-limit.js';
import type { Limit } from '../../routers/ports/limits.js';
import { LimitWindows } from './limit-windows.js';

/** What was counted in the current span of a limit. */
export interface Counted {
  readonly points: number;
  /** How long the span still lasts, in milliseconds. */
  readonly leftMs: number;
}

/** Where rate limits count. Keys are short, and no two limits have one in common. */
export interface LimitStore {
  /** Counts points and returns the sum of the current span, which lasts `spanMs` from its first point on. */
  count(limit: Limit, key: string, points: number, spanMs: number): Promise<Counted>;
  /** Takes one point back. */
  uncount(limit: Limit, key: string): Promise<void>;
  forget(limit: Limit, key: string): Promise<void>;
}

/** Spans that a process remembers, of all limits together; some 20 MB. */
export const MOST_SPANS = 100_000;

/**
 * Counts in this process, in bounded memory. Where there is no room for a span, those that are over go, else one of the
 * limit that has the most: whoever floods one limit makes no other forget. What a flooded limit still knows, see `LimitWindows`.
 */
export function createMemoryStore(): LimitStore {
  const limits = new Map<Limit, LimitWindows>();

  const spansOf = (limit: Limit): LimitWindows => {
    const spans = limits.get(limit) ?? new LimitWindows();
    limits.set(limit, spans);
    return spans;
  };

  const keepBound = (at: number): void => {
    const all = [...limits.values()];
    const isFull = () => all.reduce((sum, { size }) => sum + size, 0) > MOST_SPANS;
    if (isFull()) for (const spans of all) spans.deleteEnded(at);
    if (isFull()) all.reduce((most, spans) => (spans.size > most.size ? spans : most)).evict(at);
  };

  return {
    count: async (limit, key, points, spanMs) => {
      const at = performance.now();
      const span = spansOf(limit).count(key, points, at, spanMs);
      keepBound(at);
      return { points: span.points, leftMs: span.endsAt - at };
    },
    uncount: async (limit, key) => spansOf(limit).uncount(key),
    forget: async (limit, key) => spansOf(limit).delete(key),
  };
}

/** Counts exactly among all processes that share the database. */
export const createDatabaseStore = (db: Db): LimitStore => ({
  count: async (_limit, key, points, spanMs) => {
    const at = Date.now();
    const counted = await db.write((trx) => countPoints(trx, key, points, at, at + spanMs));
    return { points: counted.points, leftMs: counted.resetsAt - at };
  },
  uncount: (_limit, key) => db.write((trx) => uncountPoint(trx, key)),
  forget: (_limit, key) => db.write((trx) => deletePoints(trx, key)),
});
