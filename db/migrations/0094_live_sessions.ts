import type { Knex } from 'knex';

/**
 * The pages of a separate front end that are open now, in every process. A row whose `seen_at` is old belongs to a
 * process that died; a closed row stays for a minute, so that the page that was closed cannot come back at once.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('live_sessions', (table) => {
    table.text('id').primary();
    table.integer('user_id').references('users.id').onDelete('CASCADE').index();
    table.integer('session_id');
    table.text('visitor').notNullable();
    table.text('user_agent').notNullable();
    table.text('ip_address').notNullable();
    table.text('page').notNullable();
    table.bigInteger('connected_at').notNullable();
    table.bigInteger('seen_at').notNullable().index();
    table.bigInteger('closed_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('live_sessions');
}
