import type { ConcurrencyLimit } from '../../routers/context.js';
import { DomainError } from '../../routers/errors.js';

/** Lets `atOnce` pieces of work run and `waiting` more stand in line. */
export function createConcurrencyLimit(atOnce: number, waiting: number): ConcurrencyLimit {
  let running = 0;
  const line: (() => void)[] = [];

  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw new DomainError('UNAVAILABLE', { retryAfter: 1 });
      // Whoever finishes hands its place over, so `running` does not change here.
      await new Promise<void>((resolve) => line.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
