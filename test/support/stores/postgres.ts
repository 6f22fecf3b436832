import { createHash } from 'node:crypto';
import pg from 'pg';
import { openDb } from '../../../db/engine/connect.js';
import { migrate } from '../../../db/engine/migrate.js';
import { migrationsDigest } from './migrations-digest.js';
import { asSubset, isSubset, makeSubsetDatabase, SUBSET_ROLE, TAKEN_AWAY } from './postgres-subset.js';

/** A database for one test on the PostgreSQL server at TEST_DATABASE_URL. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, even with open connections. */
  drop(): Promise<void>;
}

/** The server on which tests may create databases; null if there is none. */
export const postgresUrl = (): string | null => process.env.TEST_DATABASE_URL || null;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 24);

const addressOf = (server: string, database: string, subset: boolean): string => {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return subset ? asSubset(url.href) : url.href;
};

const exists = async (client: pg.Client, database: string): Promise<boolean> =>
  (await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database])).rowCount !== 0;

/**
 * Creates the database with this name, or finds the one that an earlier server of the same test created. It is empty
 * unless it comes from another one.
 */
export async function openTestDatabase(
  server: string,
  name: string,
  from = 'template0',
  subset = isSubset(),
): Promise<TestDatabase> {
  const database = `test_${digest(name)}`;
  await onServer(server, async (client) => {
    if (await exists(client, database)) return;
    if (subset && from === 'template0') return makeSubsetDatabase(client, server, database);
    const owner = subset ? `OWNER ${SUBSET_ROLE}` : '';
    await client.query(`CREATE DATABASE ${database} ${owner} TEMPLATE ${from} STRATEGY file_copy`);
  });
  return {
    url: addressOf(server, database, subset),
    drop: () =>
      onServer(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      }),
  };
}

/** As `openTestDatabase`, without the features that engines like PostgreSQL lack. */
export const openSubsetDatabase = (server: string, name: string): Promise<TestDatabase> =>
  openTestDatabase(server, name, 'template0', true);

let migrated: Promise<string> | null = null;

/** As `openTestDatabase`, with all tables: a copy takes a tenth of the time that the migrations take. */
export async function openMigratedDatabase(server: string, name: string): Promise<TestDatabase> {
  migrated ??= migratedTemplate(server);
  return openTestDatabase(server, name, await migrated);
}

/** The name of a database to copy, made by the first process that needs it. */
async function migratedTemplate(server: string): Promise<string> {
  const subset = isSubset();
  const kind = subset ? `subset_${digest(TAKEN_AWAY).slice(0, 8)}` : 'tables';
  const template = `${kind}_${await migrationsDigest()}`;
  await onServer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock(1)');
    if (await exists(client, template)) return;
    const making = `making_${template}`;
    await client.query(`DROP DATABASE IF EXISTS ${making}`);
    if (subset) await makeSubsetDatabase(client, server, making);
    else await client.query(`CREATE DATABASE ${making} TEMPLATE template0`);
    const databaseUrl = addressOf(server, making, subset);
    const db = await openDb({ databaseUrl, dataDir: '', postgresSubset: subset });
    await migrate(db).finally(() => db.close());
    await client.query(`ALTER DATABASE ${making} RENAME TO ${template}`);
  });
  return template;
}

async function onServer(server: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
