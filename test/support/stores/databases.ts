import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseLocation, type Db, openDb } from '../../../db/engine/connect.js';
import { skipping } from '../skip.js';
import { openTestDatabase, postgresUrl } from './postgres.js';

/** An empty database for one test; no migration has run. */
export interface EmptyDatabase {
  readonly location: DatabaseLocation;
  /** Opens another connection, like another process. */
  open(more?: Pick<DatabaseLocation, 'isShared'>): Promise<Db>;
  /** Closes all connections, and removes the database. */
  remove(): Promise<void>;
}

/** Creates empty databases of one kind. */
export interface DatabaseKind {
  readonly name: string;
  make(): Promise<EmptyDatabase>;
}

/** The available kinds. Prints a skip line if PostgreSQL is not among them. */
export function databaseKinds(): readonly DatabaseKind[] {
  const server = postgresUrl();
  if (server === null) skipping('PostgreSQL: TEST_DATABASE_URL is not set');
  return [
    { name: 'SQLite', make: () => make(null) },
    ...(server === null ? [] : [{ name: 'PostgreSQL', make: () => make(server) }]),
  ];
}

async function make(server: string | null): Promise<EmptyDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdall-db-'));
  const database = server === null ? null : await openTestDatabase(server, randomUUID());
  const location = { databaseUrl: database?.url ?? null, dataDir };
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
