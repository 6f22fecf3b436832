import type { Db } from '../../../db/engine/connect.js';
import { query } from '../../../db/engine/query.js';

/**
 * Resolves once this is over, or its transaction waits for the lock of another one; at once on SQLite, where every write waits
 * for the one before. To be awaited in that other one.
 */
export async function overOrWaiting(db: Db, work: Promise<unknown>): Promise<void> {
  if (db.dialect.name === 'sqlite') return;
  let isEnded = false;
  const over = () => {
    isEnded = true;
  };
  work.then(over, over);
  const locked = `SELECT 1 AS waits FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`;
  let waits = false;
  while (!isEnded && !waits) waits = (await query(db.read, locked)).length > 0;
}
