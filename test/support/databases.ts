import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DatabaseLocation, type Db, openDb } from '../../db/connect.js';
import { openTestDatabase, postgresUrl } from './postgres.js';
import { skipping } from './skip.js';

/** An empty database of a test's own; nothing has migrated it. */
export interface EmptyDatabase {
  readonly location: DatabaseLocation;
  /** Opens it once more, as another process would. */
  open(more?: Pick<DatabaseLocation, 'isShared'>): Promise<Db>;
  /** Closes what was opened, and removes it. */
  remove(): Promise<void>;
}

/** Makes empty databases of one kind. */
export interface DatabaseKind {
  readonly name: string;
  make(): Promise<EmptyDatabase>;
}

/** The kinds there are here. Says on a line of its own when PostgreSQL is not among them. */
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
