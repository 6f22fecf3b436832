import type { Knex } from 'knex';

/** Items with an index of those of an account by time, as lists read them. */
const ITEMS = ['images', 'pastes', 'short_urls'] as const;

/** What its owner wants to find again: a mark on items and collections. */
export async function up(knex: Knex): Promise<void> {
  for (const table of [...ITEMS, 'collections'])
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN favourite boolean NOT NULL DEFAULT false`);
  for (const table of ITEMS)
    await knex.raw(
      `CREATE INDEX ${table}_favourite ON ${table} (owner_id, created_at, id, trashed_at) WHERE favourite`,
    );
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ITEMS) await knex.raw(`DROP INDEX ${table}_favourite`);
  for (const table of [...ITEMS, 'collections']) await knex.raw(`ALTER TABLE ${table} DROP COLUMN favourite`);
}
