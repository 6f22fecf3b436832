import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import type { Knex } from 'knex';

interface RawConnection {
  exec(sql: string, done: (error: Error | null) => void): void;
}

interface TransactionInternals {
  begin(connection: unknown): Promise<unknown>;
  query(connection: unknown, sql: string): Promise<unknown>;
}

/** The parts of knex's SQLite client that are extended here; knex publishes no types for them. */
interface SqliteBase {
  transaction(...args: unknown[]): TransactionInternals;
  acquireRawConnection(): Promise<RawConnection>;
}

const Base = createRequire(import.meta.url)('knex/lib/dialects/sqlite3/index.js') as new (
  config: Knex.Config,
) => SqliteBase;

/** How long a statement waits for another process's write before it fails as busy, in milliseconds. */
const BUSY_TIMEOUT_MS = 15_000;

const PRAGMAS = [
  `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  'PRAGMA temp_store = MEMORY',
].join(';');

/**
 * knex's SQLite client with the connection settings Holdall relies on, and with transactions that take
 * the write lock at once: a plain BEGIN takes it at the first write, where a concurrent writer makes it fail.
 */
export class SqliteClient extends Base {
  override transaction(...args: unknown[]): TransactionInternals {
    const transaction = super.transaction(...args);
    transaction.begin = (connection) => transaction.query(connection, 'BEGIN IMMEDIATE;');
    return transaction;
  }

  override async acquireRawConnection(): Promise<RawConnection> {
    const connection = await super.acquireRawConnection();
    await promisify(connection.exec.bind(connection))(PRAGMAS);
    return connection;
  }
}
