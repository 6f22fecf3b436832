import type { DatabaseState } from './state.js';

/** Cached rows, valid only for the database state in which they were read. */
export interface Memo<K, V> {
  /** The cached value of a key in the current state; undefined if it has to be looked up. */
  get(key: K): V | undefined;
  /** The current state, to pass to `keep` with what is looked up from now on; null if nothing will be cached. */
  begin(): number | null;
  /** Caches rows that were looked up since `begin`, unless there was a commit meanwhile. */
  keep(begun: number | null, found: ReadonlyMap<K, V>): void;
}

/** Maximum number of cached rows; the oldest entry is evicted first. */
const ENTRIES = 4_096;

/** A cache that is cleared by the next commit of any process; values that are not `worth` it are never cached. */
export function createMemo<K, V>(state: DatabaseState, worth: (value: V) => boolean): Memo<K, V> {
  const kept = new Map<K, V>();
  let keptIn: number | null = null;

  function begin(): number | null {
    const now = state.current();
    if (now === null || now !== keptIn) kept.clear();
    keptIn = now;
    return now;
  }

  return {
    get: (key) => (kept.size > 0 && begin() !== null ? kept.get(key) : undefined),
    begin,
    keep(begun, found) {
      if (begun === null || begun !== begin()) return;
      for (const [key, value] of found) if (worth(value)) kept.set(key, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= ENTRIES) return;
        kept.delete(oldest);
      }
    },
  };
}
