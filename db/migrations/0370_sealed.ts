import type { Knex } from 'knex';

/** The tables of what can be sealed; `seal` is its sealed name, "" for none, and null for what is not sealed. */
const SEALED = ['images', 'pastes', 'paste_revisions', 'collections', 'reservations'] as const;

/** What is encrypted by its sender, to whom a request link has it encrypted, and the wrapped key of an account. */
export async function up(knex: Knex): Promise<void> {
  for (const table of SEALED) await knex.raw(`ALTER TABLE ${table} ADD COLUMN seal text`);
  await knex.raw('ALTER TABLE upload_requests ADD COLUMN recipient text');
  await knex.schema.createTable('account_seals', (table) => {
    table.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    table.text('recipient').notNullable();
    table.text('wrapped').notNullable();
    table.bigInteger('changed_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('account_seals');
  await knex.raw('ALTER TABLE upload_requests DROP COLUMN recipient');
  for (const table of SEALED) await knex.raw(`ALTER TABLE ${table} DROP COLUMN seal`);
}
