import type { Knex } from 'knex';

/** What became of the calls to the webhooks of users. */
export async function up(knex: Knex): Promise<void> {
  // One row an event, bounded for each account; while it waits, a job tries to deliver it.
  await knex.schema.createTable('webhook_deliveries', (table) => {
    table.bigIncrements('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('event').notNullable();
    table.text('unique_id').notNullable();
    table.text('state').notNullable();
    table.integer('attempts').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('attempted_at');
    table.integer('status');
    table.text('error');
    table.text('excerpt');
    table.integer('duration_ms');
    table.index(['user_id', 'id']);
  });

  // How a webhook has been doing; no row while all is well.
  await knex.schema.createTable('webhook_health', (table) => {
    table.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    // In a row; one success forgets them.
    table.integer('failures').notNullable();
    table.bigInteger('paused_until').notNullable();
    table.bigInteger('disabled_at');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('webhook_health');
  await knex.schema.dropTable('webhook_deliveries');
}
