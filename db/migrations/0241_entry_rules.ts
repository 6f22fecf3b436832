import type { Knex } from 'knex';

/** Which types of files are accepted and how long items live, as JSON: of the whole installation (`ALL`) and by role. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('entry_rules', (table) => {
    table.text('scope').primary();
    table.text('rules').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('entry_rules');
}
