import type { Db } from '../../../db/engine/connect.js';
import { countPoints, deletePoints, uncountPoint } from '../../../db/system/rate-limit.js';
import type { Limit } from '../../../routers/base/ports/limits.js';
import { LimitWindows } from './limit-windows.js';

/** The points counted in the current window of a limit. */
interface Counted {
  readonly points: number;
  /** Remaining time of the window, in milliseconds. */
  readonly leftMs: number;
}

/** Where rate limits are counted. Keys are short and unique across limits. */
export interface LimitStore {
  /** Adds points and returns the sum of the current window, which lasts `spanMs` from its first point. */
  count(limit: Limit, key: string, points: number, spanMs: number): Promise<Counted>;
  /** Takes one point back. */
  uncount(limit: Limit, key: string): Promise<void>;
  forget(limit: Limit, key: string): Promise<void>;
}

/** Maximum windows that a process remembers, over all limits; about 20 MB. */
export const MAX_SPANS = 100_000;

/**
 * Counts in this process, in bounded memory. If there is no room for a window, expired ones are removed, else one of
 * the limit that has the most, so flooding one limit does not make others forget. For what a flooded limit still
 * knows, see `LimitWindows`.
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
    const isFull = () => all.reduce((sum, { size }) => sum + size, 0) > MAX_SPANS;
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

/** Counts exactly across all processes that share the database. */
export const createDatabaseStore = (db: Db): LimitStore => ({
  count: async (_limit, key, points, spanMs) => {
    const at = Date.now();
    const counted = await db.write((trx) => countPoints(trx, key, points, at, at + spanMs));
    return { points: counted.points, leftMs: counted.resetsAt - at };
  },
  uncount: (_limit, key) => db.write((trx) => uncountPoint(trx, key)),
  forget: (_limit, key) => db.write((trx) => deletePoints(trx, key)),
});
