import type { Knex } from 'knex';

/** Where an item came from is found by the item, for the export of an account. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('imported', (table) => table.index(['kind', 'item_id']));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('imported', (table) => table.dropIndex(['kind', 'item_id']));
}
