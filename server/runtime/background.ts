import type { Background } from '../../routers/base/ports/background.js';
import type { Logger } from './logger.js';

/** Work that goes on after its request, and its end. */
export interface OpenBackground extends Background {
  /** Asks all work to end, and waits until it has. */
  stop(): Promise<void>;
}

/** Runs work beside the requests. */
export function openBackground(log: Logger): OpenBackground {
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    run: (work) => {
      const over = work(ending.signal)
        .catch((error: unknown) => log.error({ err: error }, 'work in the background failed'))
        .finally(() => running.delete(over));
      running.add(over);
    },
    stop: async () => {
      ending.abort();
      await Promise.all(running);
    },
  };
}
