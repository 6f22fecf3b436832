import { createHash } from 'node:crypto';
import pg from 'pg';

/** A database for one test on the PostgreSQL server at TEST_DATABASE_URL. */
export interface TestDatabase {
  readonly url: string;
  /** Removes it, even with open connections. */
  drop(): Promise<void>;
}

/** The server on which tests may create databases; null if there is none. */
export const postgresUrl = (): string | null => process.env.TEST_DATABASE_URL || null;

/** Creates the database with this name, or finds the one that an earlier server of the same test created. */
export async function openTestDatabase(server: string, name: string): Promise<TestDatabase> {
  const database = `test_${createHash('sha256').update(name).digest('hex').slice(0, 24)}`;
  const url = new URL(server);
  url.pathname = `/${database}`;
  await onServer(server, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${database} TEMPLATE template0`);
  });
  return {
    url: url.href,
    drop: () =>
      onServer(server, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
      }),
  };
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
