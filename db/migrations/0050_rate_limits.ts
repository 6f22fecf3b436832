import type { Knex } from 'knex';

/** What is counted for rate limits by processes that share a database. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('rate_limits', (table) => {
    // A hash of the limit and its subject.
    table.text('key').primary();
    table.integer('points').notNullable();
    table.bigInteger('resets_at').notNullable().index();
  });
  // Counts may be lost with the database server; then their commits need not wait for its disk.
  if (knex.client.config.client === 'pg') await knex.raw('ALTER TABLE rate_limits SET UNLOGGED');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('rate_limits');
}
