import type { Knex } from 'knex';
import * as core from './0001_core.js';
import * as jobs from './0002_jobs.js';

interface Migration {
  readonly name: string;
  up(knex: Knex): Promise<void>;
  down(knex: Knex): Promise<void>;
}

/** In order. Names carry no file extension, so that sources and build agree on what has run. */
const migrations: readonly Migration[] = [
  { name: '0001_core', ...core },
  { name: '0002_jobs', ...jobs },
];

/** Hands the migrations to knex, for the server and for the knex command line alike. */
export const migrationSource: Knex.MigrationSource<Migration> = {
  getMigrations: async () => [...migrations],
  getMigrationName: (migration) => migration.name,
  getMigration: async (migration) => ({ up: migration.up, down: migration.down }),
};
