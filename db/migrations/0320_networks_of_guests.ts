import type { Knex } from 'knex';

/** From which network a guest sends a file in parts, as a keyed hash: compared, but never shown. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE uploads ADD COLUMN sent_from text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE uploads DROP COLUMN sent_from');
}
