import type { Knex } from 'knex';
import { migrationSource } from '../migrations/index.js';
import { isUnfinished } from '../transfer/unfinished.js';
import type { Db } from './connect.js';
import { type MigrationProgress, migrateApart } from './migrate-apart.js';

export type { MigrationProgress } from './migrate-apart.js';

/** The database cannot be used by this release; the message may be shown. */
export class UnusableDatabase extends Error {}

/** The database has migrations that this release does not know. */
export class DatabaseIsNewer extends UnusableDatabase {}

/**
 * Migrates the database to the newest schema, in the way of its dialect. By default all pending migrations run in one
 * transaction under the database's own lock: one process migrates while the others wait, and a process killed half-way
 * leaves the old schema. Returns the names of the migrations that ran; throws `UnusableDatabase`.
 */
export async function migrate(db: Db, progress: MigrationProgress = () => {}): Promise<readonly string[]> {
  const { lockForMigration } = db.dialect;
  if (lockForMigration === null) return migrateApart(db.admin, listMigrations, progress);
  return db.admin.transaction(async (trx) => {
    await lockForMigration(trx);
    if (await isUnfinished(trx))
      throw new UnusableDatabase(
        'this database is the target of a `holdall move` that is not complete: repeat that command, with the old database configured',
      );
    return makeTables(trx, progress);
  });
}

/** Runs all pending migrations in this transaction. */
export async function makeTables(trx: Knex, progress: MigrationProgress = () => {}): Promise<string[]> {
  const pending = await pendingMigrations({ admin: trx });
  const source: typeof migrationSource = {
    ...migrationSource,
    getMigration: async (migration) => ({
      ...(await migrationSource.getMigration(migration)),
      up: async (knex) => {
        progress(migration.name, pending.indexOf(migration.name) + 1, pending.length);
        await migration.up(knex);
      },
    }),
  };
  const latest = trx.migrate.latest({ migrationSource: source, disableTransactions: true });
  const [, ran] = (await latest.catch(refuseNewer)) as [number, string[]];
  return ran;
}

function refuseNewer(cause: Error): never {
  const unknown = /^The migration directory is corrupt, the following files are missing: (.+)$/.exec(
    cause.message,
  );
  if (unknown === null) throw cause;
  throw new DatabaseIsNewer(
    `this database was created by a newer release (${countOf(unknown[1] ?? '')}): use that release, or restore a backup ` +
      'made by this one',
    { cause },
  );
}

/** How many migrations this release does not know, and the newest. */
function countOf(listed: string): string {
  const names = listed.split(', ').sort();
  const newest = names.at(-1);
  return names.length === 1
    ? `its migration ${newest} is unknown here`
    : `${names.length} of its migrations are unknown here, the newest is ${newest}`;
}

/** The names of migrations that the next start would run; throws if the database is newer than this release. */
export async function pendingMigrations({ admin }: Pick<Db, 'admin'>): Promise<readonly string[]> {
  return (await listMigrations(admin)).pending;
}

async function listMigrations(knex: Knex) {
  const listed = knex.migrate.list({ migrationSource });
  const [done, pending] = (await listed.catch(refuseNewer)) as [unknown[], { name: string }[]];
  return { done: done.length, pending: pending.map(({ name }) => name) };
}
