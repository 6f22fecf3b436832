import type { Knex } from 'knex';

/** Nothing ever read when a webhook was changed. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE webhooks DROP COLUMN updated_at');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE webhooks ADD COLUMN updated_at bigint NOT NULL DEFAULT 0');
}
