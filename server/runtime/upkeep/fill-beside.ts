import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../../db/engine/connect.js';
import { fillIndex, isFilled } from '../../../db/search/fill.js';
import { releaseLease, takeLease } from '../../../db/system/lease.js';
import type { Logger } from '../logger.js';

/** How long one process fills the index before the others may; if it dies, they wait that long. */
const LEASE_MS = 60_000;
/** How often it says how far it is, and how long it waits after a failure, such as a database that is away. */
const PROGRESS_MS = 60_000;
const AGAIN_MS = 10_000;

/**
 * Completes an index of searches that a reindex or a killed start left half filled, while requests are served. One
 * process does it, with pauses for the writes of requests; it goes on after failures, until `ending` is aborted.
 */
export async function fillBeside(db: Db, log: Logger, ending: AbortSignal): Promise<void> {
  const lease = { name: 'search-fill', holder: randomUUID() };
  let isHeld = false;
  let toldAt = Number.NEGATIVE_INFINITY;
  const progress = (done: number, all: number): void => {
    if (performance.now() - toldAt < PROGRESS_MS) return;
    toldAt = performance.now();
    log.info({ done, all }, 'filling the index of searches, which find less until it is done');
  };
  const rest = (ms: number) => pause(ms, undefined, { signal: ending, ref: false }).catch(() => {});
  while (!ending.aborted) {
    try {
      if (await isFilled(db)) break;
      const at = Date.now();
      isHeld = await db.write((trx) => takeLease(trx, lease, at, at + LEASE_MS));
      const turn = AbortSignal.any([ending, AbortSignal.timeout(LEASE_MS / 2)]);
      if (isHeld) await fillIndex(db, progress, { beside: true, ending: turn });
      else await rest(LEASE_MS / 2);
    } catch (error) {
      log.warn({ err: error }, 'the index of searches could not be filled; trying again');
      await rest(AGAIN_MS);
    }
  }
  if (isHeld) await db.write((trx) => releaseLease(trx, lease));
}
