import type { Db } from '../../db/engine/connect.js';
import { migrate } from '../../db/engine/migrate.js';
import { fillIndex } from '../../db/search/fill.js';
import type { Logger } from './logger.js';

/** Time between two lines about work that takes long, in milliseconds. */
const PROGRESS_MS = 5_000;

/**
 * Migrates the database, and says at the beginning and from time to time where that is. Returns the names of the
 * migrations that ran; throws `UnusableDatabase`.
 */
export async function migrateDatabase(db: Db, log: Logger): Promise<readonly string[]> {
  const begin = performance.now();
  let now = {};
  const report = () =>
    log.info(
      { ...now, seconds: Math.round((performance.now() - begin) / 1000) },
      'migrating the database; if this start is stopped, the next one begins again',
    );
  let timer: NodeJS.Timeout | undefined;
  try {
    const ran = await migrate(db, (migration, place, all) => {
      now = { migration, place, all };
      if (timer !== undefined) return;
      report();
      timer = setInterval(report, PROGRESS_MS);
    });
    if (ran.length > 0) log.info({ migrations: ran }, 'database is up to date');
    return ran;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Makes everything findable that was stored before the index of searches, and says at the beginning and from time to time
 * how far that is.
 */
export async function fillSearches(db: Db, log: Logger): Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  await fillIndex(db, (done, all) => {
    if (performance.now() - last < PROGRESS_MS) return;
    last = performance.now();
    log.info({ done, all }, 'filling the index of searches; if this start is stopped, the next one goes on');
  });
}
