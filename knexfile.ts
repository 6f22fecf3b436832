import { mkdirSync } from 'node:fs';
import type { Knex } from 'knex';
import { postgresSettings, sqliteFile, sqliteSettings } from './db/engine/connect.js';
import { migrationSource } from './db/migrations/index.js';
import { readConfig } from './server/runtime/config/config.js';

// As the server does: a database is for this user alone.
process.umask(0o077);
const { databaseUrl, dataDir } = readConfig();

/**
 * The database of the knex command line (`npm run db -- migrate:status`): the one that a server with the same
 * DATABASE_URL or DATA_DIR uses, with the same settings and migrations.
 */
const config: Knex.Config =
  databaseUrl === null
    ? { ...sqliteSettings(sqliteFile(dataDir), { min: 1, max: 1 }), migrations: { migrationSource } }
    : { ...postgresSettings(databaseUrl), migrations: { migrationSource } };

if (databaseUrl === null) mkdirSync(dataDir, { recursive: true });

export default config;
