/** A count of bytes, and how many they may be together. */
export class Budget {
  #held = 0;

  constructor(readonly limit: number) {}

  /** What is counted now. */
  get held(): number {
    return this.#held;
  }

  /** True while more is held than may be: whoever made it so is refused, and gives theirs back. */
  get isOver(): boolean {
    return this.#held > this.limit;
  }

  /** Counts bytes; a negative number gives them back. */
  add(bytes: number): void {
    this.#held += bytes;
  }
}

/**
 * The bytes of all requests in this process whose sender is not known: in memory, and in the staging area. They may hold
 * so much together, however many they are, for as long as they take.
 */
export const unauthenticatedBytes = {
  memory: new Budget(128 * 1024 * 1024),
  staging: new Budget(1024 * 1024 * 1024),
} as const;
