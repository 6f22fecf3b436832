import type { Knex } from 'knex';

/** The country of a visit, as a code of two letters, where a database of addresses is configured. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE url_visits ADD COLUMN country text');
  // Apart from the other counts, so that those of links without countries cost nothing more.
  await knex.schema.createTable('visit_countries', (table) => {
    table.integer('url_id').notNullable();
    table.integer('day').notNullable();
    table.text('country').notNullable();
    table.bigInteger('visits').notNullable();
    table.primary(['url_id', 'day', 'country']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('visit_countries');
  await knex.raw('ALTER TABLE url_visits DROP COLUMN country');
}
