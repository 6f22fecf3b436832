import { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';
import { codeOf } from './error-code.js';
import { query } from './query.js';
import { statements } from './traced.js';
import { createWriteLock, type WriteLock } from './write-lock.js';

/**
 * A set of changes that is applied completely or not at all. It uses only the database, waits for nothing
 * else, and has no statements in progress when it ends. It may be rolled back and run again.
 */
type Unit<T> = (trx: Knex) => Promise<T>;

/**
 * Runs a unit in a transaction and resolves with its result once the change is durable. A unit that throws
 * changes nothing and rejects with its error.
 */
export type Write = <T>(unit: Unit<T>) => Promise<T>;

interface Waiting {
  readonly run: Unit<unknown>;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: unknown };

/** Maximum number of units per commit, so that a long queue does not hold the write lock for long. */
const MAX_GROUP = 128;

/** A commit that has taken this long begins no further unit: the others wait for the next one, and other processes get a turn. */
const LONG_MS = 100;

const POSTGRES_RETRIES = 5;
/** Serialisation failure, deadlock, and a foreign key to a row that was deleted after the unit had read it. */
const RETRYABLE = new Set(['40001', '40P01', '23503']);

/**
 * `grouped` (SQLite) runs waiting units in one transaction with one fsync; `shared` also takes turns with
 * other processes; `each` (PostgreSQL, which groups commits itself) gives every unit its own transaction. See
 * docs/adr/0004.
 */
export function createWriter(knex: Knex, mode: 'grouped' | 'shared' | 'each'): Write {
  return mode === 'each' ? each(knex) : grouped(knex, mode === 'shared');
}

function grouped(knex: Knex, isShared: boolean): Write {
  const queue: Waiting[] = [];
  const lock = createWriteLock(knex, isShared);
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (queue.length > 0) {
      const group = queue.splice(0, MAX_GROUP);
      const { failure, done } = await commitGroup(knex, lock, group);
      queue.unshift(...group.slice(done));
      // Units queued behind a group that never got the lock have waited as long, so they fail with it.
      if (codeOf(failure) === 'SQLITE_BUSY') for (const waiting of queue.splice(0)) waiting.reject(failure);
    }
    draining = false;
  }

  return (unit) =>
    new Promise((resolve, reject) => {
      // A group runs in the context of its first caller; a trace asks for that of each.
      const run = statements.hasSubscribers ? AsyncLocalStorage.bind(unit) : unit;
      queue.push({ run, resolve: resolve as (value: never) => void, reject });
      if (!draining) void drain();
    });
}

/** What became of a group: how many of its units, from the first on, are settled, and the error that failed all of them. */
interface Committed {
  readonly done: number;
  readonly failure: unknown;
}

/** Commits a group, or as much of it as does not take long, and settles its units. */
async function commitGroup(knex: Knex, lock: WriteLock, group: readonly Waiting[]): Promise<Committed> {
  try {
    const outcomes = await outcomesOf(knex, lock, group);
    outcomes.forEach((outcome, index) => {
      if (outcome.ok) group[index]?.resolve(outcome.value as never);
      else group[index]?.reject(outcome.error);
    });
    return { done: outcomes.length, failure: null };
  } catch (error) {
    for (const waiting of group) waiting.reject(error);
    return { done: group.length, failure: error };
  }
}

/** A unit has failed in a transaction that it shares with others. */
class UnitFailed extends Error {}

/**
 * Units rarely fail, so a group first runs without savepoints. If a unit fails, the group is rolled back and
 * runs again with a savepoint around each unit, so that only failing units are undone.
 */
async function outcomesOf(knex: Knex, lock: WriteLock, group: readonly Waiting[]): Promise<Outcome[]> {
  try {
    return await inTransaction(knex, lock, group, async (waiting): Promise<Outcome> => {
      try {
        return { ok: true, value: await waiting.run(knex) };
      } catch (error) {
        throw group.length === 1 ? error : new UnitFailed(undefined, { cause: error });
      }
    });
  } catch (error) {
    if (!(error instanceof UnitFailed)) throw error;
    return inTransaction(knex, lock, group, (waiting) => inSavepoint(knex, waiting));
  }
}

/**
 * The only connection of the pool is the transaction: nothing else uses it while units run. A knex
 * transaction of its own would cost as much as several statements.
 */
async function inTransaction(
  knex: Knex,
  lock: WriteLock,
  group: readonly Waiting[],
  run: (waiting: Waiting) => Promise<Outcome>,
): Promise<Outcome[]> {
  await lock.begin();
  try {
    const outcomes: Outcome[] = [];
    const begun = performance.now();
    for (const waiting of group) {
      if (outcomes.length > 0 && performance.now() - begun > LONG_MS) break;
      outcomes.push(await run(waiting));
    }
    await query(knex, 'COMMIT');
    return outcomes;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has already rolled back.
    await query(knex, 'ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    lock.ended();
  }
}

async function inSavepoint(knex: Knex, waiting: Waiting): Promise<Outcome> {
  await query(knex, 'SAVEPOINT unit');
  try {
    const value = await waiting.run(knex);
    await query(knex, 'RELEASE unit');
    return { ok: true, value };
  } catch (error) {
    try {
      await query(knex, 'ROLLBACK TO unit');
      await query(knex, 'RELEASE unit');
    } catch {
      // SQLite has already rolled back the whole group, so it must not continue; the first error says why.
      throw error;
    }
    return { ok: false, error };
  }
}

function each(knex: Knex): Write {
  return async (unit) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await knex.transaction(unit);
      } catch (error) {
        if (attempt >= POSTGRES_RETRIES || !RETRYABLE.has(codeOf(error))) throw error;
      }
    }
  };
}
