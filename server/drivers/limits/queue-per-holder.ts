import { fail } from '../../../routers/base/errors.js';
import type { Turns } from '../../../routers/base/ports/sharing.js';

/** How many tasks of one holder run at once, and how many of them wait. */
export interface HolderRules {
  readonly atOnce: number;
  readonly waiting: number;
}

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Runs only some tasks of a holder at once, the others in their order: nobody else waits for them. With too many
 * waiting, TOO_MANY_REQUESTS. A task that waited begins in a turn of the event loop of its own, so that a long line
 * of short tasks does not keep everybody else from being served either.
 */
export function createQueuePerHolder({ atOnce, waiting }: HolderRules): Turns {
  const lines = new Map<string, Line>();

  function leave(holder: string, line: Line): void {
    const next = line.waiting.shift();
    // The slot is handed over, so `running` does not change.
    if (next !== undefined) setImmediate(next);
    else line.running -= 1;
    if (line.running === 0) lines.delete(holder);
  }

  return async (holder, work) => {
    const line = lines.get(holder) ?? { running: 0, waiting: [] };
    lines.set(holder, line);
    if (line.running < atOnce) line.running += 1;
    else if (line.waiting.length < waiting) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else fail('TOO_MANY_REQUESTS', { retryAfter: 1 });
    try {
      return await work();
    } finally {
      leave(holder, line);
    }
  };
}
