import type { Knex } from 'knex';

/** What of the size of a mail an answer has; the rest is its original. Null where there is none: all of it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_messages ADD COLUMN shown_size bigint');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_messages DROP COLUMN shown_size');
}
