import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { BUSY_TIMEOUT_MS } from './clients/sqlite-client.js';
import { codeOf } from './error-code.js';
import { query } from './query.js';

/** Delay between two attempts to get the lock, in milliseconds. */
const TRY_AGAIN_MS = 2;
/** How long a process may keep others from the lock, in milliseconds; then it pauses so that all others can try. */
const TURN_MS = 50;
const LEAVE_MS = 2 * TRY_AGAIN_MS;

/** SQLite's single write lock, taken by one connection for one transaction after another. */
export interface WriteLock {
  /** Begins a transaction that may write; fails as busy if other processes hold the lock for too long. */
  begin(): Promise<void>;
  /** Must be called when the transaction is over. */
  ended(): void;
}

/**
 * SQLite has no queue for this lock. Between two transactions it is free for only a moment, so a process with
 * a steady load would starve the others; if the database `isShared`, each process pauses from time to time.
 * SQLite's own busy wait retries less and less often and blocks a thread that others need, so this retries at
 * a fixed rate instead.
 */
export function createWriteLock(knex: Knex, isShared: boolean): WriteLock {
  let turnBegan = 0;
  let endedAt = 0;
  return {
    begin: async () => {
      const start = performance.now();
      if (start - endedAt > LEAVE_MS) turnBegan = start;
      else if (isShared && start - turnBegan > TURN_MS) {
        await sleep(LEAVE_MS);
        turnBegan = performance.now();
      }
      while (!(await tryOnce(knex, start + BUSY_TIMEOUT_MS))) {
        await sleep(TRY_AGAIN_MS);
        turnBegan = performance.now();
      }
    },
    ended: () => {
      endedAt = performance.now();
    },
  };
}

/** False if another process is writing; throws once the deadline has passed. */
async function tryOnce(knex: Knex, until: number): Promise<boolean> {
  try {
    await query(knex, 'BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY' && performance.now() < until) return false;
    throw error;
  }
}
