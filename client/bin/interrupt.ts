import { constants } from 'node:os';
import { Interrupted } from './command.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does work that Ctrl-C and the like end: its signal is given, so that it tidies up, and `Interrupted` is thrown. A
 * second one ends the process at once.
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
