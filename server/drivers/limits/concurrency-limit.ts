import { DomainError } from '../../../routers/base/errors.js';
import type { ConcurrencyLimit } from '../../../routers/base/ports/sharing.js';

/**
 * Allows `atOnce` concurrent tasks and `waiting` queued ones, each for at most `patienceMs`; otherwise throws `busy`.
 */
export function createConcurrencyLimit(
  atOnce: number,
  waiting: number,
  patienceMs: number | null = null,
  busy: () => Error = () => new DomainError('UNAVAILABLE', { retryAfter: 1 }),
): ConcurrencyLimit {
  let running = 0;
  const line: (() => void)[] = [];

  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      line.push(begin);
      if (patienceMs === null) return;
      timer = setTimeout(() => {
        line.splice(line.indexOf(begin), 1);
        reject(busy());
      }, patienceMs);
    });

  return async (work) => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw busy();
      // The finished task hands its slot over, so `running` does not change here.
      await turn();
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
