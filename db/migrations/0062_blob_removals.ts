import type { Knex } from 'knex';

/** Bytes that were removed lately: uploads of the same ones see whether that was while they stored theirs. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('blob_removals', (table) => {
    table.text('sha256').primary();
    table.text('token').notNullable();
    table.bigInteger('removed_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('blob_removals');
}
