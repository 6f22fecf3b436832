import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import knexModule, { type Knex } from 'knex';
import { cancelStatement, type Served } from './clients/postgres-cancel.js';
import { PostgresClient } from './clients/postgres-client.js';
import { type ConnectionOptions, SqliteClient, type SqliteConnection } from './clients/sqlite-client.js';
import { type Dialect, postgres, postgresSubset, sqlite } from './dialect.js';
import { patiently } from './patient-write.js';
import { type PoolFacts, poolFacts } from './pool-facts.js';
import type { Queryable } from './queryable.js';
import { openReplica } from './replica.js';
import { createSearchReader, type SearchReader } from './search-reader.js';
import { type DatabaseState, openSqliteState, type SqliteState, UNKNOWN_STATE } from './state.js';
import { createWriter, type Write } from './write.js';

/** The open database: `read` for lookups, `write` for every change, `dialect` for what differs. */
export interface Db {
  readonly dialect: Dialect;
  /** Committed data. Never write through it. */
  readonly read: Queryable;
  /**
   * For what may be as old as the bound of the configuration, such as statistics, and decides nothing: runs the read on a
   * replica that is known to be no older, and otherwise, or if that fails, on the primary.
   */
  behind<T>(read: (db: Db) => Promise<T>): Promise<T>;
  /** For searches, whose cost grows with what is stored; see `searchPage`. */
  readonly search: SearchReader;
  /** Runs a unit of changes in a transaction; resolves once it is durable (see `db/engine/write.ts`). */
  readonly write: Write;
  /** As `write`, for units of which one statement may take longer than a request would wait for it. */
  readonly writeAtLength: Write;
  /** The instance that migrations run on. */
  readonly admin: Knex;
  /** How busy the connections for requests are. */
  pool(): PoolFacts;
  /** The state of the migrated database, open until closed; unknown on PostgreSQL, which cannot be asked cheaply. */
  openState(): Promise<DatabaseState>;
  close(): Promise<void>;
}

/** Where the database is: a `postgres://` address, or null for SQLite in `dataDir`. */
export interface DatabaseLocation {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Whether several processes write to it all the time. */
  readonly isShared?: boolean;
  /** Whether only what engines like PostgreSQL have, too, is used. */
  readonly postgresSubset?: boolean;
  /** A replica of it, and how old what is read from there may be, in milliseconds; null for none. */
  readonly replica?: { readonly url: string; readonly lagMs: number } | null;
}

const SQLITE_READERS = 4;
const POSTGRES_POOL = 16;
/** Longest wait for PostgreSQL to take a connection, in milliseconds. */
const CONNECT_MS = 8_000;

/** The file that holds the embedded database. */
export const sqliteFile = (dataDir: string): string => join(dataDir, 'holdall.db');

/**
 * Errors show the statement without its values, which may be pastes, addresses or hashes. knex's own log
 * output is silenced because it may contain them too, and the caller gets the error anyway.
 */
const QUIET = {
  compileSqlOnError: false,
  log: { warn() {}, error() {}, deprecate() {}, debug() {} },
} satisfies Knex.Config;

/** knex settings of the embedded database: WAL, every commit fsynced, foreign keys on. */
export function sqliteSettings(
  filename: string,
  pool: { min: number; max: number },
  connection: ConnectionOptions = {},
): Knex.Config {
  return {
    client: SqliteClient as unknown as typeof Knex.Client,
    connection: { filename, ...connection },
    useNullAsDefault: true,
    ...QUIET,
    pool: { ...pool, idleTimeoutMillis: 0x7fffffff },
  };
}

/** Opens a database file on one connection; for files that no other process uses, if not said otherwise. */
export const openSqliteFile = (filename: string, connection: ConnectionOptions = {}): Knex =>
  knexModule(sqliteSettings(filename, { min: 1, max: 1 }, connection));

/** Opens a database file of another program, which stays as it is. */
export const openSqliteReader = (filename: string): Knex => {
  const settings = sqliteSettings(filename, { min: 0, max: 1 });
  // knex cannot open a file for reading only, but SQLite reads how from its address.
  const address = `${pathToFileURL(filename).href}?mode=ro`;
  return knexModule({
    ...settings,
    connection: { filename: address, flags: ['OPEN_URI'], readsOnly: true } as Knex.Sqlite3ConnectionConfig,
  });
};

/**
 * Opens PostgreSQL for work that may take as long as it needs, under a name by which the database can tell it from
 * servers; rejects when it cannot be reached.
 */
export async function openPostgresDatabase(databaseUrl: string, applicationName: string): Promise<Knex> {
  await readNumbers();
  const knex = knexModule(postgresSettings(databaseUrl, applicationName));
  try {
    await knex.raw('SELECT 1');
    return knex;
  } catch (error) {
    await knex.destroy();
    throw error;
  }
}

/** knex settings of PostgreSQL; whole numbers of 64 bits arrive as JavaScript numbers. */
export function postgresSettings(connectionString: string, applicationName = 'holdall'): Knex.Config {
  return {
    client: 'pg',
    ...QUIET,
    connection: { connectionString, application_name: applicationName, connectionTimeoutMillis: CONNECT_MS },
    pool: { min: 0, max: POSTGRES_POOL },
    acquireConnectionTimeout: 10_000,
  };
}

/** Opens the database; rejects when it cannot be reached. Does not migrate. */
export const openDb = async (location: DatabaseLocation): Promise<Db> => {
  const {
    databaseUrl,
    dataDir,
    isShared = false,
    postgresSubset: isSubset = false,
    replica = null,
  } = location;
  if (databaseUrl === null) return openSqlite(dataDir, isShared);
  return openPostgres(databaseUrl, isSubset ? postgresSubset : postgres, replica);
};

/** Whole numbers of 64 bits arrive as JavaScript numbers; one that would be rounded is an error. */
async function readNumbers(): Promise<void> {
  const { default: pg } = await import('pg');
  pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value))
      throw new Error('PostgreSQL has a number here that is larger than 2^53');
    return value;
  });
  // Sums of these; no stored value has fractions.
  pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);
}

async function openPostgres(
  databaseUrl: string,
  dialect: Dialect,
  followed: DatabaseLocation['replica'],
): Promise<Db> {
  await readNumbers();
  const settings = postgresSettings(databaseUrl);
  const pool = knexModule({ ...settings, client: PostgresClient as unknown as typeof Knex.Client });
  await pool.raw('SELECT 1');
  const search = createSearchReader<Served>(
    knexModule({ ...settings, pool: { min: 0, max: 1 } }),
    cancelStatement,
  );
  // Separate, because migrations may take as long as they need. Holds no connection while unused.
  const admin = knexModule(settings);
  const writeOn = (knex: Knex): Write =>
    dialect === postgresSubset ? patiently(createWriter(knex, 'each')) : createWriter(knex, 'each');
  const write = writeOn(pool);
  const replica =
    followed == null ? null : openReplica(write, postgresSettings(followed.url), followed.lagMs);
  const db: Db = {
    dialect,
    read: pool,
    search,
    behind: async (read) => {
      if (replica === null || !(await replica.isFresh())) return read(db);
      try {
        return await read({ ...db, read: replica.read });
      } catch {
        replica.failed();
        return read(db);
      }
    },
    write,
    writeAtLength: writeOn(admin),
    admin,
    pool: poolFacts(pool),
    openState: async () => UNKNOWN_STATE,
    close: async () => {
      await search.close();
      await replica?.close();
      await pool.destroy();
      await admin.destroy();
    },
  };
  return db;
}

async function openSqlite(dataDir: string, isShared: boolean): Promise<Db> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const filename = sqliteFile(dataDir);
  // The writer acquires the lock itself (see `db/engine/write-lock.ts`).
  const writer = knexModule(
    sqliteSettings(filename, { min: 1, max: 1 }, { busyTimeoutMs: 0, keepsConnection: true }),
  );
  // The first connection creates the file and enables WAL before any reader connects.
  await writer.raw('SELECT 1').catch(async (error: unknown) => {
    await writer.destroy();
    throw error;
  });
  const readers = knexModule(sqliteSettings(filename, { min: 1, max: SQLITE_READERS }));
  const search = createSearchReader<SqliteConnection>(
    knexModule(sqliteSettings(filename, { min: 0, max: 1 })),
    async (connection) => connection.interrupt(),
  );
  const admin = knexModule(sqliteSettings(filename, { min: 0, max: 1 }));
  const states: SqliteState[] = [];
  const write = createWriter(writer, isShared ? 'shared' : 'grouped');
  const db: Db = {
    dialect: sqlite,
    read: readers,
    behind: (read) => read(db),
    search,
    write,
    writeAtLength: write,
    admin,
    pool: poolFacts(readers),
    openState: async () => {
      const state = await openSqliteState(admin, filename);
      states.push(state);
      return state;
    },
    close: async () => {
      await search.close();
      await readers.destroy();
      await admin.destroy();
      await writer.destroy();
      for (const state of states) state.close();
    },
  };
  return db;
}
