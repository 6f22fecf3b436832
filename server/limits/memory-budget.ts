import type { MemoryBudget } from '../../routers/context.js';

/** Lets so many bytes be held at once, and always one holder. */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let held = 0;
  return {
    take(bytes) {
      if (held > 0 && held + bytes > maxBytes) return null;
      held += bytes;
      let over = false;
      return () => {
        if (!over) held -= bytes;
        over = true;
      };
    },
  };
}
