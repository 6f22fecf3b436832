import type { DatabaseState } from './state.js';

/** Rows that were found, good for exactly the state of the database in which they were read. */
export interface Memo<K, V> {
  /** What is known of a key in the present state; undefined when it has to be looked up. */
  get(key: K): V | undefined;
  /** The present state, to be handed to `keep` with what is looked up from now on; null when nothing will be kept. */
  begin(): number | null;
  /** Keeps what was looked up since `begin`, unless somebody has committed meanwhile. */
  keep(begun: number | null, found: ReadonlyMap<K, V>): void;
}

/** Rows kept at most; the first kept goes first. */
const ENTRIES = 4_096;

/** A memo that forgets everything at the next commit of anybody; what is not `worth` it is never kept. */
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
