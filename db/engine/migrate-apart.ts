import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { migrationSource } from '../migrations/index.js';
import { releaseLease, takeLease } from '../system/lease.js';
import { codeOf } from './error-code.js';
import { query } from './query.js';

/** How long a process that was killed keeps others from the tables, in milliseconds. */
const LEASE_MS = 30_000;
const EXTEND_MS = 10_000;
const PAUSE_MS = 200;

/** A table or one of its parts was made by another process in the same moment. */
const MADE_MEANWHILE = new Set(['23505', '42P07', '42710']);
/** Attempts to make the table of leases. */
const ATTEMPTS = 10;

/** A migration begins: its name, and its place among all that run. */
export type MigrationProgress = (name: string, place: number, all: number) => void;

/** Lists what has run and what has not; throws if the database is newer. */
type ListMigrations = (knex: Knex) => Promise<{ readonly done: number; readonly pending: readonly string[] }>;

/**
 * Brings the tables up to date with statements that are each a transaction of their own, for engines that cannot change
 * tables inside one. A lease lets one process do it while the others wait. An empty database gets the newest tables at
 * once, and a process that is killed meanwhile leaves nothing that the next one could not go on with; one that is killed
 * in the middle of a later migration does. Returns the names of the migrations that are done now and were not before.
 */
export async function migrateApart(
  knex: Knex,
  list: ListMigrations,
  progress: MigrationProgress,
): Promise<readonly string[]> {
  const { default: statements } = await import('./subset-tables.json', { with: { type: 'json' } });
  await makeLeases(
    knex,
    statements.filter((statement) => statement.includes(' leases ')),
  );
  return leased(knex, async () => {
    const { done, pending } = await list(knex);
    if (done === 0) for (const statement of statements) await query(knex, statement);
    for (const [index, name] of pending.entries()) {
      progress(name, index + 1, pending.length);
      if (done > 0) await (await migrationNamed(name)).up(knex);
      await knex('knex_migrations').insert({ name, batch: 1, migration_time: new Date() });
    }
    return pending;
  });
}

async function migrationNamed(name: string) {
  const found = (await migrationSource.getMigrations([])).find((migration) => migration.name === name);
  if (found === undefined) throw new Error(`no migration is called ${name}`);
  return found;
}

async function makeLeases(knex: Knex, statements: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      for (const statement of statements) await query(knex, statement);
      return;
    } catch (error) {
      if (attempt >= ATTEMPTS || !MADE_MEANWHILE.has(codeOf(error))) throw error;
    }
  }
}

async function leased<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  const lease = { name: 'migration', holder: randomUUID() };
  const take = () => takeLease(knex, lease, Date.now(), Date.now() + LEASE_MS);
  while (!(await take())) await delay(PAUSE_MS);
  // One that fails is made up for by the next; a lease that is lost meanwhile means that the database was away.
  const extending = setInterval(() => void take().catch(() => false), EXTEND_MS);
  try {
    return await work();
  } finally {
    clearInterval(extending);
    await releaseLease(knex, lease);
  }
}
