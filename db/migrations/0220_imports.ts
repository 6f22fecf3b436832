import type { Knex } from 'knex';

/**
 * What was imported from other products, so that a repeated import leaves it out, and the addresses that items had
 * there. What came stays known when it is deleted, so that it does not come again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('imported', (table) => {
    table.text('source').notNullable();
    table.text('source_key').notNullable();
    table.text('kind').notNullable();
    table.integer('item_id').notNullable();
    table.primary(['source', 'source_key']);
  });
  await knex.schema.createTable('old_addresses', (table) => {
    table.text('address').primary();
    table.text('kind').notNullable();
    table.integer('item_id').notNullable();
    table.boolean('as_page').notNullable();
    table.index(['kind', 'item_id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['old_addresses', 'imported']) await knex.schema.dropTable(table);
}
