import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../db/days.js';
import { takeLease } from '../../db/lease.js';
import { deleteVisitsBefore } from '../../db/visit.js';
import { forgetExpired } from '../../routers/auth/expire.js';
import type { Services } from '../../routers/context.js';
import { emptyEndedMailboxes } from '../../routers/email/remove.js';
import { sweepTemp } from '../media/temp.js';
import { GRACE_MS, sweep } from './sweep.js';

const EVERY_MS = 60 * 60 * 1000;
/** Whoever did the common part keeps the others from it until shortly before its own next turn. */
const LEASE_MS = EVERY_MS - 5 * 60 * 1000;

/** What cleans up in the background; see `openHousekeeping`. */
export interface Housekeeping {
  /** Begins nothing more and waits until what is under way has come to a point where it can end. */
  stop(): Promise<void>;
}

/** Where and how often to clean up. */
export interface HousekeepingOptions {
  readonly tempDir: string;
  /** How far the logs of visits go back, in days; null for ever. */
  readonly visitLogDays: number | null;
  /** Other processes may work on the same database. */
  readonly shared: boolean;
  /** Milliseconds from one turn to the next; an hour by default. */
  readonly everyMs?: number;
}

/**
 * Cleans up at start and every hour: in every process what lies in its own folders; what all of them have in
 * common in one process an hour, where the database is `shared`. A turn that comes while the one before is still under
 * way is left out.
 */
export function openHousekeeping(
  app: Services,
  { tempDir, visitLogDays, shared, everyMs = EVERY_MS }: HousekeepingOptions,
): Housekeeping {
  const holder = randomUUID();
  const ending = new AbortController();
  let running: Promise<void> | null = null;
  const isMyTurn = async (): Promise<boolean> => {
    if (!shared) return true;
    const at = Date.now();
    return app.db.write((trx) => takeLease(trx, { name: 'sweep', holder }, at, at + LEASE_MS));
  };
  const cleanUp = async (): Promise<void> => {
    // No media work takes that long; what is older was left by a process that died.
    await sweepTemp(tempDir, GRACE_MS);
    if (await isMyTurn()) {
      const { signal } = ending;
      const parts = await Promise.allSettled([
        sweep(app, GRACE_MS, signal),
        forgetExpired(app),
        emptyEndedMailboxes(app, signal),
        visitLogDays === null ? null : shortenVisitLogs(app, Date.now() - visitLogDays * DAY_MS, signal),
      ]);
      // Only now: a turn is over when all of its parts are.
      const failed = parts.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
      if (failed !== undefined) throw failed.reason;
    } else await app.blobs.sweepStaging(GRACE_MS);
  };
  const run = (): void => {
    if (ending.signal.aborted || running !== null) return;
    running = cleanUp()
      .catch((error: unknown) => app.log.error({ err: error }, 'the sweep failed'))
      .finally(() => {
        running = null;
      });
  };
  setImmediate(run);
  const timer = setInterval(run, everyMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}

/** Removes what lies before a moment, a batch in a transaction: redirects wait for the same lock. */
async function shortenVisitLogs({ db }: Services, before: number, signal: AbortSignal): Promise<void> {
  let done = false;
  while (!done && !signal.aborted) done = await db.write((trx) => deleteVisitsBefore(trx, before));
}
