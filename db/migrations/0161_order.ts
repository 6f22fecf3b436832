import type { Knex } from 'knex';

const TABLES = ['images', 'pastes', 'short_urls'] as const;

/**
 * What keeps order in an open installation: reports of items, items that are kept from everybody but their owner and
 * moderators with the reason, and blocked contents and networks. The bounds of a network are 32 hexadecimal digits.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('reports', (table) => {
    table.increments('id');
    table.text('kind').notNullable();
    table.integer('item_id').notNullable();
    table.text('unique_id').notNullable();
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.integer('reporter_id').references('users.id').onDelete('SET NULL').index();
    table.text('reason').notNullable();
    table.text('details');
    table.text('email');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('resolved_at');
    table.integer('resolved_by').references('users.id').onDelete('SET NULL').index();
    table.text('action');
    table.text('note');
    table.index(['kind', 'item_id']);
    table.index(['resolved_at', 'id']);
  });
  await knex.schema.createTable('blocks', (table) => {
    table.increments('id');
    table.text('kind').notNullable();
    table.text('value').notNullable();
    table.text('first').notNullable();
    table.text('last').notNullable();
    table.text('note');
    table.integer('created_by').references('users.id').onDelete('SET NULL').index();
    table.bigInteger('created_at').notNullable();
    table.unique(['kind', 'value']);
    table.index(['kind', 'first', 'last']);
  });
  for (const table of TABLES) await knex.raw(`ALTER TABLE ${table} ADD COLUMN quarantine text`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) await knex.raw(`ALTER TABLE ${table} DROP COLUMN quarantine`);
  for (const table of ['blocks', 'reports']) await knex.schema.dropTable(table);
}
