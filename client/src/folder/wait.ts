import { HoldallError } from '../error.js';

/** The longest time that a server may ask to wait before the next file, in seconds. */
const MAX_WAIT_SECONDS = 15 * 60;
const LONGEST_PAUSE_MS = 30_000;

/** How long to wait before a file is sent again; null if that would not help. */
export function waitOf(error: unknown, attempt: number): number | null {
  if (!(error instanceof HoldallError)) return null;
  const { status, retryAfter } = error;
  if (status === 429 || status === 503) {
    const seconds = retryAfter ?? (status === 503 ? 5 : null);
    return seconds !== null && seconds <= MAX_WAIT_SECONDS ? Math.max(1, seconds) * 1000 : null;
  }
  const isUnreachable = status === 0 || status === 502 || status === 504;
  return isUnreachable ? Math.min(1_000 * 2 ** (attempt - 1), LONGEST_PAUSE_MS) : null;
}
