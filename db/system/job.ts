import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** A job that a worker has claimed. */
export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  /** Number of runs started so far, including this one. */
  readonly attempts: number;
}

/** Queues a job unless one with the same unique key is already queued. */
export async function insertJob(
  trx: Queryable,
  job: { kind: string; payload: string; uniqueKey: string | null; createdAt: number; runAt: number },
): Promise<void> {
  await query(
    trx,
    `INSERT INTO jobs (kind, payload, unique_key, created_at, run_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (unique_key) DO NOTHING`,
    [job.kind, job.payload, job.uniqueKey, job.createdAt, job.runAt],
  );
}

/**
 * Claims a due job of these kinds until `lockedUntil`, for only one worker of all processes; null if none is due. The jobs
 * in `running`, which this worker runs already, are not due for it even if their lock has expired.
 */
export async function claimJob(
  db: Db,
  trx: Queryable,
  claim: { kinds: readonly string[]; running: readonly number[]; at: number; lockedUntil: number },
): Promise<Job | null> {
  // With `=` the subquery runs once. With `IN` PostgreSQL may run it again for each row, and each run locks
  // another job.
  const [claimed] = await query<Job>(
    trx,
    `UPDATE jobs SET locked_until = ?, attempts = attempts + 1 WHERE id = (
       SELECT id FROM jobs
       WHERE failed_at IS NULL AND run_at <= ? AND (locked_until IS NULL OR locked_until <= ?)
         AND ${db.dialect.inStrings('kind')} AND NOT ${db.dialect.inNumbers('id')}
       ORDER BY run_at, id LIMIT 1 ${db.dialect.skipLocked}
     ) RETURNING id, kind, payload, attempts`,
    [claim.lockedUntil, claim.at, claim.at, JSON.stringify(claim.kinds), JSON.stringify(claim.running)],
  );
  return claimed ?? null;
}

/** Extends the claim on jobs until `lockedUntil`, except jobs put back or claimed by another worker since. */
export async function keepJobs(
  db: Db,
  trx: Queryable,
  jobs: readonly Job[],
  lockedUntil: number,
): Promise<void> {
  const source = db.dialect.rowsOf('held', { id: 'bigint', n: 'bigint' });
  await query(
    trx,
    `UPDATE jobs SET locked_until = ? FROM ${source}
     WHERE jobs.id = held.id AND jobs.attempts = held.n AND jobs.locked_until IS NOT NULL`,
    [lockedUntil, JSON.stringify(jobs.map(({ id, attempts }) => [id, attempts]))],
  );
}

/** Deletes a finished job, even if another worker has claimed it since. */
export async function finishJob(trx: Queryable, id: number): Promise<void> {
  await query(trx, 'DELETE FROM jobs WHERE id = ?', [id]);
}

/** Puts a failed job back, or gives it up if `runAt` is null, unless another worker has claimed it since. */
export async function failJob(
  trx: Queryable,
  { id, attempts }: Job,
  error: string,
  at: number,
  runAt: number | null,
): Promise<void> {
  await trx('jobs')
    .where({ id, attempts })
    .update({
      locked_until: null,
      last_error: error,
      ...(runAt === null ? { failed_at: at, unique_key: null } : { run_at: runAt }),
    });
}

/** Puts a job back to run later; this run does not count. Does nothing if another worker has claimed it since. */
export async function postponeJob(trx: Queryable, { id, attempts }: Job, runAt: number): Promise<void> {
  await trx('jobs')
    .where({ id, attempts })
    .update({ locked_until: null, run_at: runAt, attempts: trx.raw('attempts - 1') });
}

/** Puts given-up jobs of a kind back with all their attempts; returns how many. */
export function retryFailed(trx: Queryable, kind: string, at: number): Promise<number> {
  return trx('jobs')
    .where('kind', kind)
    .whereNotNull('failed_at')
    .update({ failed_at: null, attempts: 0, run_at: at });
}

/** Deletes jobs given up before a moment, except the kinds in `owed`, whose work must be done however late. */
export async function deleteGivenUpBefore(
  trx: Queryable,
  before: number,
  owed: readonly string[],
): Promise<void> {
  await trx('jobs').where('failed_at', '<', before).whereNotIn('kind', owed).delete();
}

interface JobCount {
  readonly kind: string;
  readonly waiting: number;
  /** Given up. */
  readonly failed: number;
  /** When the oldest waiting job was queued, epoch milliseconds. */
  readonly oldest: number | null;
}

/** How many jobs of each kind are waiting and how many were given up. */
export async function jobCounts(db: Db): Promise<JobCount[]> {
  return query(
    db.read,
    `SELECT kind, sum(CASE WHEN failed_at IS NULL THEN 1 ELSE 0 END) AS waiting,
            sum(CASE WHEN failed_at IS NULL THEN 0 ELSE 1 END) AS failed,
            min(CASE WHEN failed_at IS NULL THEN created_at END) AS oldest
     FROM jobs GROUP BY kind ORDER BY kind`,
  );
}

/** The totals over all kinds. */
export function queueTotals(counts: readonly JobCount[]): Omit<JobCount, 'kind'> {
  const sum = (key: 'waiting' | 'failed') => counts.reduce((total, count) => total + count[key], 0);
  const waiting = counts.flatMap(({ oldest }) => oldest ?? []);
  return {
    waiting: sum('waiting'),
    failed: sum('failed'),
    oldest: waiting.length === 0 ? null : Math.min(...waiting),
  };
}
