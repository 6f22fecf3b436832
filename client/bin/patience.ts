import { setTimeout as delay } from 'node:timers/promises';
import { HoldallError } from '../src/index.js';

/** A server that asks for more than this is not waited for, in seconds. */
const LONGEST = 15 * 60;
/** Whoever shares the account may be faster each time; so often a file is sent again. */
const MOST_TRIES = 10;

/**
 * Does what the server refuses while too much is asked of it: waits as long as it says, telling so, and tries again.
 * Refused so, nothing has been done. The signal ends the wait; what it throws is thrown.
 */
export async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const seconds = tries < MOST_TRIES ? waitOf(error) : null;
      if (seconds === null) throw error;
      process.stderr.write(`holdall: the server takes no more for now; going on in ${seconds} s\n`);
      await delay(seconds * 1000, undefined, { signal });
    }
  }
}

function waitOf(error: unknown): number | null {
  if (!(error instanceof HoldallError) || error.status !== 429 || error.retryAfter === null) return null;
  return error.retryAfter <= LONGEST ? Math.max(1, error.retryAfter) : null;
}
