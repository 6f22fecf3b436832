import type { Knex } from 'knex';

/** Notes from one process to those who are connected to another; kept for a minute. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('hub_notes', (table) => {
    table.bigIncrements('id');
    table.text('sender').notNullable();
    table.text('topic').notNullable();
    table.text('message').notNullable();
    table.bigInteger('sent_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('hub_notes');
}
