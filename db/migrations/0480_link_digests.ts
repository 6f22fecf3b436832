import type { Knex } from 'knex';

/** Accounts that are told once a week by mail which targets of their links do not answer. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('link_digests', (table) => {
    table.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    table.bigInteger('due_at').notNullable().index('link_digests_due');
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('link_digests');
}
