import type { Knex } from 'knex';

/** A collection can be kept from others with the reason, and a report says how often its network has sent it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE collections ADD COLUMN quarantine text');
  await knex.raw('ALTER TABLE reports ADD COLUMN times integer NOT NULL DEFAULT 1');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE reports DROP COLUMN times');
  await knex.raw('ALTER TABLE collections DROP COLUMN quarantine');
}
