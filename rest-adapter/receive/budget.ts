/** Counts bytes against a limit. */
export class Budget {
  #held = 0;

  constructor(readonly limit: number) {}

  /** The current count. */
  get held(): number {
    return this.#held;
  }

  /** True while the count exceeds the limit: the request that exceeded it is refused and releases its bytes. */
  get isOver(): boolean {
    return this.#held > this.limit;
  }

  /** Adds bytes; a negative number releases them. */
  add(bytes: number): void {
    this.#held += bytes;
  }
}

/**
 * The bytes of all unauthenticated requests in this process, in memory and in the staging area. The limits
 * apply to all of them together, however many they are and however long they take.
 */
export const unauthenticatedBytes = {
  memory: new Budget(128 * 1024 * 1024),
  staging: new Budget(1024 * 1024 * 1024),
} as const;
