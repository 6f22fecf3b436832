import type { Logger } from '../logger.js';

/** Runs work as it comes, in a few loops at most. */
export interface Lane {
  /** Looks for work now. */
  kick(): void;
  isBusy(): boolean;
  /** Waits until none is left. */
  settle(): Promise<void>;
  /** Takes no new work and waits for what is running. */
  stop(): Promise<void>;
}

/** Where work comes from: `claim` returns one thing that is due, null when nothing is. */
export interface Work<T> {
  claim(): Promise<T | null>;
  run(item: T): Promise<void>;
}

/**
 * Loops that each claim one thing, run it, and end when there is none. Work kicked for meanwhile is not missed. A loop
 * has one thing at a time, so one that takes long holds up no other loop, and one that fails ends with its loop, logged.
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
      // There may be more, and this may take long.
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
