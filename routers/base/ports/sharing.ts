/** Runs work once for all concurrent callers with the same key; they share its result. */
export type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Runs work with limited concurrency; refuses with UNAVAILABLE if too much is queued. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** Runs work with limited concurrency for each holder: who has too many turns is refused before everybody else is. */
export type Turns = <T>(holder: string, work: () => Promise<T>) => Promise<T>;

/** Counts the bytes that some requests hold together. */
export interface ByteCount {
  readonly limit: number;
  /** The current count. */
  readonly held: number;
  /** True while the count exceeds the limit: the request that exceeded it is refused and releases its bytes. */
  readonly isEnded: boolean;
  /** Adds bytes; a negative number releases them. */
  add(bytes: number): void;
}

/** A shared memory budget. */
export interface MemoryBudget {
  /**
   * Counts bytes until the returned function is called. Null, and nothing is counted, if that would exceed
   * the total limit or the limit of this holder.
   */
  take(bytes: number, holder: string): (() => void) | null;
}

/** Texts in memory by what they were made of. Those that were not asked for longest go first. */
export interface KeptTexts {
  get(key: string): string | null;
  /** Keeps a text until there is no room for it, or only for a time in milliseconds. */
  keep(key: string, text: string, forMs?: number): void;
}
