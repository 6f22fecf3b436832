import { setTimeout as delay } from 'node:timers/promises';
import { HoldallError } from '../src/index.js';

/** The longest time that a server may ask us to wait, in seconds. */
const MAX_WAIT_SECONDS = 15 * 60;
/** How often a request is sent in total. Other clients of the same account may keep using up the rate limit. */
const MAX_TRIES = 10;

/**
 * Retries work that the server refuses with 429: waits as long as the server asks, says so on standard error, and tries
 * again. Nothing was done by a request refused this way. The signal ends the wait; its reason is thrown.
 */
export async function patiently<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const seconds = tries < MAX_TRIES ? waitOf(error) : null;
      if (seconds === null) throw error;
      process.stderr.write(`holdall: too many requests; continuing in ${seconds} s\n`);
      await delay(seconds * 1000, undefined, { signal });
    }
  }
}

function waitOf(error: unknown): number | null {
  if (!(error instanceof HoldallError) || error.status !== 429 || error.retryAfter === null) return null;
  return error.retryAfter <= MAX_WAIT_SECONDS ? Math.max(1, error.retryAfter) : null;
}
