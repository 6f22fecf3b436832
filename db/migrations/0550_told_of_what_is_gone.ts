import type { Knex } from 'knex';

/** What owners are told of pastes that were deleted by their reader. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE tellings ADD COLUMN gone_id text');
  await knex.raw('ALTER TABLE tellings ADD COLUMN gone_title text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE tellings DROP COLUMN gone_title');
  await knex.raw('ALTER TABLE tellings DROP COLUMN gone_id');
}
