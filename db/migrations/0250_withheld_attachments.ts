import type { Knex } from 'knex';

/** Why the bytes of an attachment are not kept; null for those that are. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_attachments ADD COLUMN withheld text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_attachments DROP COLUMN withheld');
}
