import type { Knex } from 'knex';

/** The oldest renditions are found, and all of them added up, without reading the table. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('renditions', (table) => {
    table.index(['created_at', 'size', 'sha256', 'source_sha256'], 'renditions_age');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('renditions', (table) => {
    table.dropIndex(['created_at'], 'renditions_age');
  });
}
