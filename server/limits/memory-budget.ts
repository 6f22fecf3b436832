import type { MemoryBudget } from '../../routers/ports/sharing.js';

/** What one holder may have of the whole. */
const SHARE = 1 / 4;

/** Lets so many bytes be held at once, a quarter of them by one holder; and always one thing, however large. */
export function createMemoryBudget(maxBytes: number): MemoryBudget {
  const held = new Map<string, number>();
  let total = 0;

  const fits = (before: number, bytes: number, most: number): boolean =>
    before === 0 || before + bytes <= most;

  return {
    take(bytes, holder) {
      const own = held.get(holder) ?? 0;
      if (!fits(total, bytes, maxBytes) || !fits(own, bytes, SHARE * maxBytes)) return null;
      total += bytes;
      held.set(holder, own + bytes);
      let over = false;
      return () => {
        if (over) return;
        over = true;
        total -= bytes;
        const left = (held.get(holder) ?? 0) - bytes;
        if (left > 0) held.set(holder, left);
        else held.delete(holder);
      };
    },
  };
}
