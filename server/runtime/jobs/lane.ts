import type { Logger } from '../logger.js';

/** Runs work as it arrives, in a limited number of loops. */
export interface Lane {
  /** Checks for work now. */
  kick(): void;
  isBusy(): boolean;
  /** Waits until no work is left. */
  settle(): Promise<void>;
  /** Takes no new work and waits for what is running. */
  stop(): Promise<void>;
}

/** A source of work: `claim` returns one item that is due, or null. */
interface Work<T> {
  claim(): Promise<T | null>;
  run(item: T): Promise<void>;
}

/**
 * Each loop claims one item, runs it, and ends when nothing is due. A kick during a run is not missed. A loop handles
 * one item at a time, so a slow item does not block the other loops. If an item throws, the error is logged and its
 * loop ends.
 */
export function createLane<T>(loops: number, log: Logger, work: Work<T>): Lane {
  const running = new Set<Promise<void>>();
  let kicks = 0;
  let stopped = false;

  async function loop(): Promise<void> {
    for (let seen = -1; !stopped && seen !== kicks; ) {
      seen = kicks;
      const item = await work.claim();
      if (item === null) continue;
      // There may be more work, and this item may take long.
      begin();
      await work.run(item);
      seen = -1;
    }
  }

  function begin(): void {
    if (stopped || running.size >= loops) return;
    const round = loop()
      .catch((error: unknown) => log.error({ err: error }, 'the job queue failed'))
      .finally(() => running.delete(round));
    running.add(round);
  }

  const kick = (): void => {
    kicks += 1;
    begin();
  };
  const settled = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };
  return {
    kick,
    isBusy: () => running.size > 0,
    settle: async () => {
      kick();
      await settled();
    },
    stop: async () => {
      stopped = true;
      await settled();
    },
  };
}
