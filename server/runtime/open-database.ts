import { setTimeout as delay } from 'node:timers/promises';
import { type Db, openDb, sqliteFile } from '../../db/engine/connect.js';
import { codeOf } from '../../db/engine/error-code.js';
import { query } from '../../db/engine/query.js';
import { outageOf } from '../../routers/core/outage.js';
import { type Config, wrongVariables } from './config/config.js';
import type { Logger } from './logger.js';

/** How long to wait for PostgreSQL, which may be starting or recovering from a crash, in milliseconds. */
export const PATIENCE_MS = 10_000;
const PAUSE_MS = 500;

/**
 * Opens the database. If PostgreSQL is unreachable, logs that and waits for a while; if it stays unreachable or
 * rejects us, throws a `ConfigError` with the reason.
 */
export async function openDatabase(config: Config, log: Logger): Promise<Db> {
  if (config.databaseUrl === null) return openDb({ ...config, isShared: config.workers !== '1' });
  const name = nameOfPostgres(config.databaseUrl);
  const limit = performance.now() + PATIENCE_MS;
  for (let localizable = false; ; localizable = true) {
    try {
      return await openDb(config);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (outageOf(error) === null || performance.now() > limit) {
        throw wrongVariables([`DATABASE_URL: ${name}, cannot be opened: ${reason}`]);
      }
      if (!localizable) log.warn({ reason }, `waiting for ${name}`);
      await delay(PAUSE_MS);
    }
  }
}

/** How long a start waits while another program holds the write lock of SQLite, in milliseconds. */
const LOCK_MS = 60_000;
/** After this time it says so. */
const TELL_MS = 5_000;

/**
 * As `openDatabase`, and waits until nobody else holds the write lock of SQLite, which a start needs; rejects as busy if
 * that takes more than a minute.
 */
export async function openWritable(config: Config, log: Logger, patienceMs = LOCK_MS): Promise<Db> {
  if (config.databaseUrl !== null) return openDatabase(config, log);
  const until = performance.now() + patienceMs;
  const unlocked = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await work();
      } catch (error) {
        if (codeOf(error) !== 'SQLITE_BUSY' || performance.now() > until) throw error;
      }
  };
  const telling = setTimeout(() => {
    const file = sqliteFile(config.dataDir);
    log.warn({ file }, 'waiting for the database: another program, such as a database shell, has locked it');
  }, TELL_MS);
  try {
    const db = await unlocked(() => openDatabase(config, log));
    await unlocked(() => db.write(async () => undefined)).catch(async (error: unknown) => {
      await db.close();
      throw error;
    });
    return db;
  } finally {
    clearTimeout(telling);
  }
}

/** Throws a `ConfigError` if PostgreSQL only reads, as a standby does: nothing could be served from it. */
export async function requireWritable(db: Db, { databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<void> {
  if (databaseUrl === null) return;
  const [state] = await query<{ transaction_read_only: string }>(db.read, 'SHOW transaction_read_only');
  if (state?.transaction_read_only !== 'on') return;
  throw wrongVariables([
    `DATABASE_URL: ${nameOfPostgres(databaseUrl)}, is read-only (a standby): name the primary`,
  ]);
}

/** Says which database an address leads to, without user and password. */
export function nameOfPostgres(databaseUrl: string): string {
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL at ${host}, database ${pathname.slice(1)}`;
}
