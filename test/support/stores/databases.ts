import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseLocation, type Db, openDb } from '../../../db/engine/connect.js';
import { skipping } from '../skip.js';
import { openMigratedDatabase, openTestDatabase, postgresUrl } from './postgres.js';
import { isSubset } from './postgres-subset.js';
import { putMigratedFile } from './sqlite.js';

/** A database for one test. */
export interface OwnDatabase {
  readonly location: DatabaseLocation;
  /** Opens another connection, like another process. */
  open(more?: Pick<DatabaseLocation, 'isShared'>): Promise<Db>;
  /** Closes all connections, and removes the database. */
  remove(): Promise<void>;
}

/** Creates databases of one kind. */
export interface DatabaseKind {
  readonly name: string;
  /** An empty one, in which no migration has run. */
  make(): Promise<OwnDatabase>;
  /** One with all tables, for tests that are not about the migrations: they take longer than most tests. */
  makeMigrated(): Promise<OwnDatabase>;
}

/** The available kinds. Prints a skip line if PostgreSQL is not among them. */
export function databaseKinds(): readonly DatabaseKind[] {
  const server = postgresUrl();
  if (server === null) skipping('PostgreSQL: TEST_DATABASE_URL is not set');
  return [kindOf('SQLite', null), ...(server === null ? [] : [kindOf('PostgreSQL', server)])];
}

const kindOf = (name: string, server: string | null): DatabaseKind => ({
  name,
  make: () => make(server, false),
  makeMigrated: () => make(server, true),
});

async function make(server: string | null, migrated: boolean): Promise<OwnDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-db-'));
  const openNew = migrated ? openMigratedDatabase : openTestDatabase;
  const database = server === null ? null : await openNew(server, randomUUID());
  if (database === null && migrated) await putMigratedFile(dataDir);
  const location = { databaseUrl: database?.url ?? null, dataDir, postgresSubset: isSubset() };
  const opened: Db[] = [];
  return {
    location,
    open: async (more = {}) => {
      const db = await openDb({ ...location, ...more });
      opened.push(db);
      return db;
    },
    remove: async () => {
      await Promise.all(opened.map((db) => db.close()));
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
