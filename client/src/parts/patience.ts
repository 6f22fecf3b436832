import { unreachable } from '../answer.js';
import { HoldallError } from '../error.js';
import { pause } from '../pause.js';
import { Gone, isPassing, type PartsTask, Unknown } from './task.js';

/** How long an upload may make no progress before it is given up. */
const PATIENCE_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 30_000;

/** What the caller's own `onProgress` threw. */
export class CallerFailed extends Error {
  constructor(readonly error: unknown) {
    super('onProgress failed');
  }
}

/** How long a task waits between attempts, and when it gives up. */
export function patienceOf({ target, signal, onPause, patienceMs = PATIENCE_MS }: PartsTask) {
  let failures = 0;
  let since = performance.now();
  return {
    renew: () => {
      failures = 0;
      since = performance.now();
    },
    /** Waits before the next attempt; throws what is final. */
    wait: async (error: unknown): Promise<void> => {
      if (signal?.aborted === true) throw signal.reason;
      if (error instanceof Gone || error instanceof Unknown) throw error;
      if (error instanceof CallerFailed) throw error.error;
      const known = error instanceof HoldallError ? error : null;
      if (known !== null && !isPassing(known.status)) throw known;
      if (performance.now() - since > patienceMs) throw known ?? unreachable(target.origin, error);
      failures += 1;
      const own = Math.min(500 * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
      const ms = Math.max(own, (known?.retryAfter ?? 0) * 1000);
      onPause?.(ms);
      await pause(ms, signal);
    },
  };
}
