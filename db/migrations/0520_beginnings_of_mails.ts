import type { Knex } from 'knex';

/** How a mail begins, which lists show, and an index of those that nobody has opened. Older mails have no beginning. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE mail_messages ADD COLUMN beginning text NOT NULL DEFAULT ''");
  await knex.raw('CREATE INDEX mail_messages_unread ON mail_messages (mailbox_id) WHERE unread');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX mail_messages_unread');
  await knex.raw('ALTER TABLE mail_messages DROP COLUMN beginning');
}
