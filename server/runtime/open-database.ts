import { setTimeout as delay } from 'node:timers/promises';
import { type Db, openDb } from '../../db/engine/connect.js';
import { outageOf } from '../../routers/shared/outage.js';
import { ConfigError } from '../shared/config-error.js';
import type { Config } from './config/config.js';
import type { Logger } from './logger.js';

/** How long to wait for PostgreSQL, which may be starting or recovering from a crash, in milliseconds. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 500;

/**
 * Opens the database. If PostgreSQL is unreachable, logs that and waits for a while; if it stays unreachable or
 * rejects us, throws a `ConfigError` with the reason.
 */
export async function openDatabase(config: Config, log: Logger): Promise<Db> {
  if (config.databaseUrl === null) return openDb({ ...config, isShared: config.workers !== '1' });
  const { host, pathname } = new URL(config.databaseUrl);
  const name = `PostgreSQL at ${host}, database ${pathname.slice(1)}`;
  const limit = performance.now() + PATIENCE_MS;
  for (let told = false; ; told = true) {
    try {
      return await openDb(config);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (outageOf(error) === null || performance.now() > limit) {
        throw new ConfigError(
          `Holdall cannot start. Fix these settings:\n  DATABASE_URL: ${name}, cannot be opened: ${reason}`,
        );
      }
      if (!told) log.warn({ reason }, `waiting for ${name}`);
      await delay(PAUSE_MS);
    }
  }
}
