import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The points counted in the current window of a limit. */
interface Counted {
  readonly points: number;
  /** End of the window, epoch milliseconds; counting then starts again at zero. */
  readonly resetsAt: number;
}

/** Adds points and returns the sum over all processes; a window over at `at` is replaced by one until `resetsAt`. */
export async function countPoints(
  trx: Queryable,
  key: string,
  points: number,
  at: number,
  resetsAt: number,
): Promise<Counted> {
  const [row] = await query<{ points: number; resets_at: number }>(
    trx,
    `INSERT INTO rate_limits (key, points, resets_at) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET
       points = excluded.points + CASE WHEN rate_limits.resets_at <= ? THEN 0 ELSE rate_limits.points END,
       resets_at = CASE WHEN rate_limits.resets_at <= ? THEN excluded.resets_at ELSE rate_limits.resets_at END
     RETURNING points, resets_at`,
    [key, points, resetsAt, at, at],
  );
  if (row === undefined) throw new Error('nothing was counted');
  return { points: row.points, resetsAt: row.resets_at };
}

/** Subtracts one point. */
export async function uncountPoint(trx: Queryable, key: string): Promise<void> {
  await trx('rate_limits').where('key', key).andWhere('points', '>', 0).decrement('points', 1);
}

/** Deletes the count of a key. */
export async function deletePoints(trx: Queryable, key: string): Promise<void> {
  await trx('rate_limits').where('key', key).delete();
}

/** Deletes windows that have ended. */
export async function deleteOldLimits(trx: Queryable, at: number): Promise<void> {
  await trx('rate_limits').where('resets_at', '<=', at).delete();
}
