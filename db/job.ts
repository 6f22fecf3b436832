import type { Db, Queryable } from './connect.js';
import { rows } from './rows.js';

/** A job that a worker has claimed. */
export interface Job {
  readonly id: number;
  readonly kind: string;
  readonly payload: string;
  /** Runs begun so far, this one included. */
  readonly attempts: number;
}

/** Queues a job; one whose unique key waits already is left out. */
export async function insertJob(
  trx: Queryable,
  job: { kind: string; payload: string; uniqueKey: string | null; createdAt: number; runAt: number },
): Promise<void> {
  await rows(
    trx,
    `INSERT INTO jobs (kind, payload, unique_key, created_at, run_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (unique_key) DO NOTHING`,
    [job.kind, job.payload, job.uniqueKey, job.createdAt, job.runAt],
  );
}

/** Claims due jobs of these kinds until `lockedUntil`; each goes to one worker of any process. */
export async function claimJobs(
  db: Db,
  trx: Queryable,
  claim: { kinds: readonly string[]; at: number; lockedUntil: number; limit: number },
): Promise<Job[]> {
  const claimed = await rows<Job>(
    trx,
    `UPDATE jobs SET locked_until = ?, attempts = attempts + 1 WHERE id IN (
       SELECT id FROM jobs
       WHERE failed_at IS NULL AND run_at <= ? AND (locked_until IS NULL OR locked_until <= ?)
         AND ${db.dialect.inStrings('kind')}
       ORDER BY run_at, id LIMIT ? ${db.dialect.skipLocked}
     ) RETURNING id, kind, payload, attempts`,
    [claim.lockedUntil, claim.at, claim.at, JSON.stringify(claim.kinds), claim.limit],
  );
  return claimed;
}

/** Ends a job that is done; its payload is gone with it. */
export async function finishJob(trx: Queryable, id: number): Promise<void> {
  await rows(trx, 'DELETE FROM jobs WHERE id = ?', [id]);
}

/** Puts a failed job back for another run, or gives it up when `runAt` is null. */
export async function failJob(
  trx: Queryable,
  id: number,
  error: string,
  at: number,
  runAt: number | null,
): Promise<void> {
  await trx('jobs')
    .where('id', id)
    .update({
      locked_until: null,
      last_error: error,
      ...(runAt === null ? { failed_at: at, unique_key: null } : { run_at: runAt }),
    });
}

/** Puts a job back that could not be tried yet; the run that found out does not count. */
export async function postponeJob(trx: Queryable, id: number, runAt: number): Promise<void> {
  await trx('jobs')
    .where('id', id)
    .update({ locked_until: null, run_at: runAt, attempts: trx.raw('attempts - 1') });
}

/** Puts given-up jobs of a kind back, all their tries before them again; answers how many. */
export function retryFailed(trx: Queryable, kind: string, at: number): Promise<number> {
  return trx('jobs')
    .where('kind', kind)
    .whereNotNull('failed_at')
    .update({ failed_at: null, attempts: 0, run_at: at });
}

/** How many jobs of each kind wait and how many were given up. */
export async function jobCounts(
  db: Db,
): Promise<{ kind: string; waiting: number; failed: number; oldest: number }[]> {
  const found = await rows<{ kind: string; waiting: number; failed: number; oldest: number }>(
    db.read,
    `SELECT kind, sum(CASE WHEN failed_at IS NULL THEN 1 ELSE 0 END) AS waiting,
            sum(CASE WHEN failed_at IS NULL THEN 0 ELSE 1 END) AS failed, min(created_at) AS oldest
     FROM jobs GROUP BY kind ORDER BY kind`,
  );
  return found.map((row) => ({ ...row, waiting: Number(row.waiting), failed: Number(row.failed) }));
}
