import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Knex } from 'knex';
import KnexClient from 'knex/lib/dialects/sqlite3/index.js';
import { codeOf } from '../error-code.js';
import { StatementCache, type StatementSource } from '../statement-cache.js';

/** Connection options of this client. */
export interface ConnectionOptions {
  /** How long a statement waits for another process's write lock. */
  readonly busyTimeoutMs?: number;
  /** A pool of one hands out its connection permanently, to its only user. */
  readonly keepsConnection?: boolean;
  /** Only reads, and leaves the file as it is, also its journal mode. */
  readonly readsOnly?: boolean;
  /** Keeps every other process from opening the file, and fails as busy if one has it open. */
  readonly alone?: boolean;
}

/** A connection of the driver; `interrupt` ends the statement that is running on it. */
export interface SqliteConnection extends StatementSource {
  interrupt(): void;
  exec(sql: string, done: (error: Error | null) => void): void;
}

interface TransactionInternals {
  begin(connection: unknown): Promise<unknown>;
  query(connection: unknown, sql: string): Promise<unknown>;
}

/** A statement as knex passes it to a driver; the driver adds the result. */
interface Query {
  readonly sql: string;
  readonly bindings: readonly unknown[];
  readonly method?: string;
  readonly returning?: unknown;
  response?: unknown;
  context?: { readonly lastID: number; readonly changes: number };
}

/** The parts of knex's SQLite client that are extended here; knex publishes no types for them. */
interface SqliteBase {
  readonly connectionSettings: ConnectionOptions;
  transaction(...args: unknown[]): TransactionInternals;
  acquireConnection(): Promise<SqliteConnection>;
  releaseConnection(connection: SqliteConnection): Promise<unknown>;
  destroy(done?: (error?: unknown) => void): Promise<unknown>;
  acquireRawConnection(): Promise<SqliteConnection>;
  destroyRawConnection(connection: SqliteConnection): Promise<unknown>;
}

const Base = KnexClient as new (config: Knex.Config) => SqliteBase;

/** How long to wait for another process's write lock before a statement fails as busy, in milliseconds. */
export const BUSY_TIMEOUT_MS = 15_000;

const PRAGMAS = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  'PRAGMA temp_store = MEMORY',
  // What a long reader let the log grow to is given back with the next reset.
  `PRAGMA journal_size_limit = ${64 * 1024 * 1024}`,
].join(';');

/** Delay before a connection retries its settings, in milliseconds. */
const AGAIN_MS = 20;

/**
 * Configures a connection. If two processes open a new database at once, both switch it to WAL mode, and
 * SQLite refuses one as busy without waiting, to avoid a deadlock. So this retries until the other is done.
 */
async function prepareConnection(
  exec: (sql: string) => Promise<unknown>,
  { busyTimeoutMs = BUSY_TIMEOUT_MS, alone = false, readsOnly = false }: ConnectionOptions,
): Promise<void> {
  await exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
  if (readsOnly) return;
  // Before the first access, so that the file itself is locked and not only its log.
  if (alone) await exec('PRAGMA locking_mode = EXCLUSIVE');
  const until = performance.now() + (alone ? busyTimeoutMs : BUSY_TIMEOUT_MS);
  for (;;) {
    try {
      await exec(PRAGMAS);
      return;
    } catch (error) {
      const isBusy = codeOf(error) === 'SQLITE_BUSY';
      if (!isBusy || performance.now() > until) throw error;
      await sleep(AGAIN_MS);
    }
  }
}

/** knex methods that return a count or an id instead of rows. */
const COUNTING = new Set(['insert', 'update', 'counter', 'del']);

/** The statement cache of each connection. Not a field: knex creates transaction clients without a constructor. */
const prepared = new WeakMap<SqliteConnection, StatementCache>();

/**
 * knex's SQLite client with the connection settings that Holdall relies on, with cached prepared statements,
 * and with transactions that take the write lock at once: a plain BEGIN takes it at the first write, which
 * fails if there is a concurrent writer.
 */
export class SqliteClient extends Base {
  /** The permanent connection. Only declared, because knex creates transaction clients without a constructor. */
  declare kept?: Promise<SqliteConnection>;

  /** With `keepsConnection` the pool is asked only once, because asking costs as much as a small statement. */
  override acquireConnection(): Promise<SqliteConnection> {
    if (this.connectionSettings.keepsConnection !== true) return super.acquireConnection();
    this.kept ??= super.acquireConnection().catch((error: unknown) => {
      delete this.kept;
      throw error;
    });
    return this.kept;
  }

  override async releaseConnection(connection: SqliteConnection): Promise<unknown> {
    return this.kept === undefined ? super.releaseConnection(connection) : undefined;
  }

  override async destroy(done?: (error?: unknown) => void): Promise<unknown> {
    const { kept } = this;
    delete this.kept;
    if (kept !== undefined) await super.releaseConnection(await kept);
    return super.destroy(done);
  }

  override transaction(...args: unknown[]): TransactionInternals {
    const transaction = super.transaction(...args);
    transaction.begin = (connection) => transaction.query(connection, 'BEGIN IMMEDIATE;');
    return transaction;
  }

  override async acquireRawConnection(): Promise<SqliteConnection> {
    const connection = await super.acquireRawConnection();
    await prepareConnection(promisify(connection.exec.bind(connection)), this.connectionSettings);
    prepared.set(connection, new StatementCache(connection));
    return connection;
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<unknown> {
    // A connection with prepared statements cannot be closed.
    await prepared.get(connection)?.finalize();
    return super.destroyRawConnection(connection);
  }

  /** Called by knex for every statement. */
  async _query(connection: SqliteConnection, query: Query): Promise<Query> {
    const cache = prepared.get(connection);
    if (cache === undefined) throw new Error('the connection was closed');
    const { method = '', returning } = query;
    const counts = COUNTING.has(method) && !(returning && (method === 'insert' || method === 'update'));
    const outcome = await cache.run(query.sql, query.bindings, counts ? 'run' : 'all');
    query.response = outcome.rows;
    query.context = outcome;
    return query;
  }
}
