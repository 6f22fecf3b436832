import type { Knex } from 'knex';

/** A set of changes that holds or fails as one. It touches the database only and never waits for anything else. */
export type Unit<T> = (trx: Knex.Transaction) => Promise<T>;

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
const RETRYABLE = new Set(['40001', '40P01']);

/**
 * `grouped` (SQLite) lets the units that wait share one transaction and so one fsync; `each` (PostgreSQL,
 * which groups commits itself) gives every unit its own transaction. See docs/adr/0004.
 */
export function createWriter(knex: Knex, mode: 'grouped' | 'each'): Write {
  return mode === 'grouped' ? grouped(knex) : each(knex);
}

function grouped(knex: Knex): Write {
  const queue: Waiting[] = [];
  let draining = false;

  async function drain(): Promise<void> {
    draining = true;
    while (queue.length > 0) {
      await commitGroup(knex, queue.splice(0, GROUP_LIMIT));
    }
    draining = false;
  }

  return (unit) =>
    new Promise((resolve, reject) => {
      queue.push({ run: unit, resolve: resolve as (value: never) => void, reject });
      if (!draining) void drain();
    });
}

async function commitGroup(knex: Knex, group: readonly Waiting[]): Promise<void> {
  const outcomes: Outcome[] = [];
  try {
    await knex.transaction(async (trx) => {
      for (const waiting of group) {
        outcomes.push(group.length === 1 ? await alone(trx, waiting) : await inSavepoint(trx, waiting));
      }
    });
  } catch (error) {
    for (const waiting of group) waiting.reject(error);
    return;
  }
  group.forEach((waiting, index) => {
    const outcome = outcomes[index];
    if (outcome?.ok === true) waiting.resolve(outcome.value as never);
    else waiting.reject(outcome?.error);
  });
}

async function alone(trx: Knex.Transaction, waiting: Waiting): Promise<Outcome> {
  // A failure rejects the whole transaction, which holds nothing else.
  return { ok: true, value: await waiting.run(trx) };
}

async function inSavepoint(trx: Knex.Transaction, waiting: Waiting): Promise<Outcome> {
  await trx.raw('SAVEPOINT unit');
  try {
    const value = await waiting.run(trx);
    await trx.raw('RELEASE unit');
    return { ok: true, value };
  } catch (error) {
    await trx.raw('ROLLBACK TO unit');
    await trx.raw('RELEASE unit');
    return { ok: false, error };
  }
}

function each(knex: Knex): Write {
  return async (unit) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await knex.transaction(unit);
      } catch (error) {
        const code = (error as { code?: unknown }).code;
        if (attempt >= POSTGRES_RETRIES || typeof code !== 'string' || !RETRYABLE.has(code)) throw error;
      }
    }
  };
}
