/** What others made of a cacheable value, kept as long as the value itself. */
export interface Derived {
  /** Its text as an answer; null until it was sent. */
  text: Buffer | null;
}

const derived = new WeakMap<object, Derived>();

/**
 * Marks a value that will be sent again and never changes, so that what is derived from it may be cached with it. It is
 * frozen, to keep that promise.
 */
export function cacheable<T extends object>(value: T): Readonly<T> {
  derived.set(value, { text: null });
  return Object.freeze(value);
}

/** What is kept with a value; null if it is not cacheable. */
export const derivedFrom = (value: unknown): Derived | null =>
  typeof value === 'object' && value !== null ? (derived.get(value) ?? null) : null;
