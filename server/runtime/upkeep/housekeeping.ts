import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../../db/engine/days.js';
import { deleteVisitsBefore } from '../../../db/statistics/visit.js';
import { takeLease } from '../../../db/system/lease.js';
import { purgeTrash } from '../../../routers/app/trash/index.js';
import type { Services } from '../../../routers/core/context.js';
import { forgetExpired } from '../../../routers/features/auth/expire.js';
import { checkDomains } from '../../../routers/features/domain/check.js';
import { trimRenditions } from '../../../routers/features/image/rendition-budget.js';
import { sendDigests } from '../../../routers/features/link/digest.js';
import { checkTargets } from '../../../routers/features/link/health.js';
import { emptyEndedMailboxes } from '../../../routers/features/mail/remove.js';
import { sweepTemp } from '../../drivers/media/temp.js';
import { GRACE_MS, sweep } from './sweep.js';

const EVERY_MS = 60 * 60 * 1000;
/** The process that did the shared part keeps the lease until shortly before its next run. */
const LEASE_MS = EVERY_MS - 5 * 60 * 1000;

/** Background cleanup; see `openHousekeeping`. */
export interface Housekeeping {
  /** Starts nothing new and waits until running work has reached a point where it can stop. */
  stop(): Promise<void>;
}

/** Where and how often to clean up. */
interface HousekeepingOptions {
  readonly tempDir: string;
  /** How long visit logs are kept, in days; null for forever. */
  readonly visitLogDays: number | null;
  /** Other processes may use the same database. */
  readonly shared: boolean;
  /** Milliseconds between runs; one hour by default. */
  readonly everyMs?: number;
}

/**
 * Cleans up at start and every hour. Every process cleans its own folders; with a `shared` database, one process per
 * hour cleans what they share. A run is skipped while the previous one is still running.
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
    // No media work takes that long; older files were left by a process that died.
    await sweepTemp(tempDir, GRACE_MS);
    if (await isMyTurn()) {
      const { demo } = app.settings;
      // What asks other servers, and mails.
      if (!demo) look();
      const { signal } = ending;
      const parts = await Promise.allSettled([
        sweep(app, GRACE_MS, signal),
        forgetExpired(app),
        emptyEndedMailboxes(app, signal),
        trimRenditions(app),
        purgeTrash(app, signal),
        demo ? null : checkDomains(app, signal),
        demo ? null : sendDigests(app, signal),
        visitLogDays === null ? null : shortenVisitLogs(app, Date.now() - visitLogDays * DAY_MS, signal),
      ]);
      // Only now: a run is over when all of its parts are.
      const failed = parts.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
      if (failed !== undefined) throw failed.reason;
    } else await app.storage.blobs.sweepStaging(GRACE_MS);
  };
  let looking: Promise<void> | null = null;
  /** Beside the rest, because others' servers decide how long it takes. */
  const look = (): void => {
    looking ??= checkTargets(app, ending.signal)
      .catch((error: unknown) => app.log.error({ err: error }, 'the targets of links could not be looked at'))
      .finally(() => {
        looking = null;
      });
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
      await Promise.all([running, looking]);
    },
  };
}

/** Removes visits before a time, one batch per transaction, because redirects wait for the same lock. */
async function shortenVisitLogs({ db }: Services, before: number, signal: AbortSignal): Promise<void> {
  let done = false;
  while (!done && !signal.aborted) done = await db.write((trx) => deleteVisitsBefore(trx, before));
}
