import type { MemoryBudget } from '../../../routers/base/ports/sharing.js';

/** The largest share of the budget for one holder. */
const SHARE = 1 / 4;

/** A budget for bytes held at once, at most a quarter by one holder. While nothing is held, any size is granted. */
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
