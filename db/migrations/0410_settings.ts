import type { Knex } from 'knex';

/** What administrators set in pages instead of variables; secrets are encrypted. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('settings', (table) => {
    table.text('name').primary();
    table.text('value').notNullable();
    table.boolean('secret').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('settings');
}
