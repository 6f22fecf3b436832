import type { Knex } from 'knex';
import { codeOf } from './error-code.js';
import { query } from './query.js';
import { createWriteLock, type WriteLock } from './write-lock.js';

/**
 * A set of changes that holds or fails as one. It touches the database only, never waits for anything else, and
 * has none of its statements under way when it ends. It may be undone and run again.
 */
export type Unit<T> = (trx: Knex) => Promise<T>;

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

/** At most this many units share one commit, so that a long queue does not hold the write lock for long. */
const GROUP_LIMIT = 128;

const POSTGRES_RETRIES = 5;
/** Serialisation failure, deadlock, and a foreign key to a row that went after the unit had seen it. */
const RETRYABLE = new Set(['40001', '40P01', '23503']);

/**
 * `grouped` (SQLite) lets the units that wait share one transaction and so one fsync, and `shared` takes turns with
 * other processes besides; `each` (PostgreSQL, which groups commits itself) gives every unit its own transaction.
 * See docs/adr/0004.
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
      const failure = await commitGroup(knex, lock, queue.splice(0, GROUP_LIMIT));
      // Who waited behind a group that never got the lock has waited as long, and need not wait once more.
      if (codeOf(failure) === 'SQLITE_BUSY') for (const waiting of queue.splice(0)) waiting.reject(failure);
    }
    draining = false;
  }

  return (unit) =>
    new Promise((resolve, reject) => {
      queue.push({ run: unit, resolve: resolve as (value: never) => void, reject });
      if (!draining) void drain();
    });
}

/** Commits a group and settles its units. Returns the error that failed them all, null when there was none. */
async function commitGroup(knex: Knex, lock: WriteLock, group: readonly Waiting[]): Promise<unknown> {
  try {
    const outcomes = await outcomesOf(knex, lock, group);
    group.forEach((waiting, index) => {
      const outcome = outcomes[index];
      if (outcome?.ok === true) waiting.resolve(outcome.value as never);
      else waiting.reject(outcome?.error);
    });
    return null;
  } catch (error) {
    for (const waiting of group) waiting.reject(error);
    return error;
  }
}

/** A unit has failed in a transaction that others share. */
class UnitFailed extends Error {}

/**
 * Units rarely fail, so a group runs as if none did. When one has, everything is undone and the group runs again
 * with a savepoint around each unit, so that only those that fail are undone.
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
 * The one connection of the pool is the transaction: nobody else uses it while units run, and what knex makes
 * for a transaction of its own costs as much as several statements.
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
    for (const waiting of group) outcomes.push(await run(waiting));
    await query(knex, 'COMMIT');
    return outcomes;
  } catch (error) {
    // After some errors, a full disk for instance, SQLite has rolled back already.
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
      // SQLite has rolled everything back already, so nothing of the group may go on; the first error says why.
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
