import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { codeOf } from './error-code.js';
import { query } from './query.js';
import { BUSY_TIMEOUT_MS } from './sqlite-client.js';

/** Between two tries to get the lock, in milliseconds. */
const TRY_AGAIN_MS = 2;
/** For so long a process may keep others from the lock, in milliseconds; then it leaves it alone until all have tried. */
const TURN_MS = 50;
const LEAVE_MS = 2 * TRY_AGAIN_MS;

/** SQLite's one write lock, as one connection takes it for transaction after transaction. */
export interface WriteLock {
  /** Begins a transaction that may write; fails as busy when others have kept the lock for long. */
  begin(): Promise<void>;
  /** To be called when the transaction is over. */
  ended(): void;
}

/**
 * SQLite has no queue for this lock. Between two transactions it is free for a moment only, so that a process that
 * always has another one would keep it; where it `isShared`, each process leaves it alone from time to time. And those who wait
 * would try less and less often, and hold a thread meanwhile that others need: here they try again and again.
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

/** False when somebody else writes; throws once it is too late to try again. */
async function tryOnce(knex: Knex, until: number): Promise<boolean> {
  try {
    await query(knex, 'BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (codeOf(error) === 'SQLITE_BUSY' && performance.now() < until) return false;
    throw error;
  }
}
