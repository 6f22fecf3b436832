import type { Db } from '../../db/engine/connect.js';
import { fillIndex } from '../../db/search/fill.js';
import type { Logger } from './logger.js';

/** Time between two lines about work that takes long, in milliseconds. */
const PROGRESS_MS = 5_000;

/** Makes everything findable that was stored before the index of searches, and says from time to time how far that is. */
export async function fillSearches(db: Db, log: Logger): Promise<void> {
  let last = performance.now();
  await fillIndex(db, (done, all) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    log.info({ done, all }, 'filling the index of searches; the next start goes on if this one is stopped');
  });
}
