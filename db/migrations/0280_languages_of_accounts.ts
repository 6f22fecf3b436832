import type { Knex } from 'knex';

/** The language that an account has chosen for pages and mails; null: as its browser asks. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN language text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP COLUMN language');
}
