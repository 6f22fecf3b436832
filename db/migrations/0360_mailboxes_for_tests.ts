import type { Knex } from 'knex';

/** Mailboxes that take what is sent with their credentials, rules for what arrives, and tags that rules give. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mailboxes ADD COLUMN sending_hash text');
  await knex.raw('ALTER TABLE mailboxes ADD COLUMN rules text');
  await knex.raw("ALTER TABLE mail_messages ADD COLUMN tags text NOT NULL DEFAULT '[]'");
}

export async function down(knex: Knex): Promise<void> {
  for (const column of ['sending_hash', 'rules'])
    await knex.raw(`ALTER TABLE mailboxes DROP COLUMN ${column}`);
  await knex.raw('ALTER TABLE mail_messages DROP COLUMN tags');
}
