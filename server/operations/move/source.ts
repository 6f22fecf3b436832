import type { Knex } from 'knex';
import { openPostgresDatabase, openSqliteFile, sqliteFile } from '../../../db/engine/connect.js';
import { codeOf } from '../../../db/engine/error-code.js';
import { query } from '../../../db/engine/query.js';
import type { End } from '../../../db/transfer/copy.js';
import { listed, TransferError, tablesOf } from '../../../db/transfer/table.js';
import type { Config } from '../../runtime/config/config.js';
import { nameOfPostgres } from '../../runtime/open-database.js';

/** How long to wait for other processes to leave the database, in milliseconds. */
const PATIENCE_MS = 5_000;
/** PostgreSQL's code for a lock that was not free in time. */
const LOCK_NOT_AVAILABLE = '55P03';
const SNAPSHOT = { isolationLevel: 'repeatable read', readOnly: true } as const;
/** The name of the connections of a copy, by which they differ from those of a server. */
export const APPLICATION = 'holdall move';

/** The database that is copied. */
export interface Source {
  readonly name: string;
  readonly end: Pick<End, 'engine' | 'read'>;
  readonly knex: Knex;
  /** Throws `TransferError` if a server has been connected in the meantime. */
  requireAlone(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the configured database to copy it. Unless this happens `ahead`, nobody else may use it from now on until
 * `close`; throws `TransferError` if somebody does.
 */
export const openSource = (
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  ahead: boolean,
): Promise<Source> =>
  databaseUrl === null ? openSqlite(sqliteFile(dataDir), ahead) : openPostgres(databaseUrl, ahead);

const inUse = (name: string, cause?: unknown) =>
  new TransferError(
    `${name} is in use: stop the server, on every machine, and repeat the command (with --ahead most is copied before that)`,
    { cause },
  );

async function openSqlite(file: string, ahead: boolean): Promise<Source> {
  const knex = openSqliteFile(file, ahead ? {} : { alone: true, busyTimeoutMs: PATIENCE_MS });
  try {
    // Takes the lock.
    await query(knex, 'SELECT count(*) AS tables FROM sqlite_schema');
  } catch (error) {
    await knex.destroy();
    throw codeOf(error) === 'SQLITE_BUSY' ? inUse(file, error) : error;
  }
  return {
    name: file,
    knex,
    end: {
      engine: 'sqlite',
      read: async (work) => {
        // One state for a whole table; not knex's transaction, which keeps writers out.
        await knex.raw('BEGIN');
        try {
          return await work(knex);
        } finally {
          await knex.raw('ROLLBACK');
        }
      },
    },
    requireAlone: async () => {},
    close: async () => knex.destroy(),
  };
}

async function openPostgres(databaseUrl: string, ahead: boolean): Promise<Source> {
  const name = nameOfPostgres(databaseUrl);
  const knex = await openPostgresDatabase(databaseUrl, APPLICATION);
  if (!ahead)
    return openAlone(knex, name).catch(async (error: unknown) => {
      await knex.destroy();
      throw error;
    });
  return {
    name,
    knex,
    end: { engine: 'postgres', read: (work) => knex.transaction(work, SNAPSHOT) },
    requireAlone: async () => {},
    close: async () => knex.destroy(),
  };
}

/** One transaction for everything: its locks let nobody write, and its snapshot is what is copied. */
async function openAlone(knex: Knex, name: string): Promise<Source> {
  const requireAlone = async () => {
    const servers = await query(
      knex,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'holdall' LIMIT 1`,
    );
    if (servers.length > 0) throw inUse(name);
  };
  await requireAlone();
  const tables = await tablesOf(knex, 'postgres');
  if (tables.length === 0) throw new TransferError(`${name} has no tables: it was never used with Holdall`);
  const trx = await knex.transaction({ isolationLevel: 'repeatable read' });
  try {
    await trx.raw(`SET LOCAL lock_timeout = ${PATIENCE_MS}`);
    await trx.raw(`LOCK TABLE ${listed(tables.map((table) => table.name))} IN SHARE MODE`);
  } catch (error) {
    await trx.rollback();
    throw codeOf(error) === LOCK_NOT_AVAILABLE ? inUse(name, error) : error;
  }
  return {
    name,
    knex,
    end: { engine: 'postgres', read: (work) => work(trx) },
    requireAlone,
    close: async () => {
      await trx.rollback();
      await knex.destroy();
    },
  };
}
