import type { Knex } from 'knex';

/** Collections that several keep together, offers of one to another account, and the revisions of collections. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('collection_members', (table) => {
    table.integer('collection_id').notNullable().references('collections.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('role').notNullable();
    table.bigInteger('created_at').notNullable();
    table.primary(['collection_id', 'user_id']);
  });
  await knex.schema.createTable('collection_offers', (table) => {
    table.integer('collection_id').primary().references('collections.id').onDelete('CASCADE');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.bigInteger('created_at').notNullable();
  });
  await knex.raw('ALTER TABLE collections ADD COLUMN revision integer NOT NULL DEFAULT 1');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE collections DROP COLUMN revision');
  await knex.schema.dropTable('collection_offers');
  await knex.schema.dropTable('collection_members');
}
