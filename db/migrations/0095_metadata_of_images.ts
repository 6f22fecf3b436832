import type { Knex } from 'knex';

/** What became of the metadata of a file; not known for those that were stored before. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('images', (table) => {
    table.text('metadata');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('images', (table) => {
    table.dropColumn('metadata');
  });
}
