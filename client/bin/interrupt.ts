import { constants } from 'node:os';
import { Interrupted } from './command.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs work that Ctrl-C and similar signals interrupt: the work's abort signal fires so that it can clean up,
 * then `Interrupted` is thrown. A second signal ends the process at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const end = (signal: (typeof SIGNALS)[number]) =>
    ending.abort(new Interrupted(128 + constants.signals[signal]));
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    return await work(ending.signal);
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
