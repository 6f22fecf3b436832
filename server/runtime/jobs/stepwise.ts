import { Postponed } from './queue.js';

/**
 * A job that does one step per run until a step reports that nothing is left. Each run is short: other jobs get their
 * turn in between, and a shutdown waits for one step only.
 */
export async function stepwise(step: Promise<boolean>): Promise<void> {
  if (!(await step)) throw new Postponed(Date.now());
}
