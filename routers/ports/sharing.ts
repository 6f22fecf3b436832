/** Runs work once for everybody who asks for the same key at the same time; they share its outcome. */
export type SingleFlight = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Runs work when it is its turn; refuses as UNAVAILABLE when too much is waiting. */
export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>;

/** Memory that several things share. */
export interface MemoryBudget {
  /**
   * Counts bytes until the returned function is called; null, and nothing counted, when they are too many in all or for
   * this holder.
   */
  take(bytes: number, holder: string): (() => void) | null;
}
