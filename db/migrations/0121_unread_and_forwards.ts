import type { Knex } from 'knex';

/** Which mails nobody has opened, and where a mailbox sends what arrives. The mails that are here count as read. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_messages ADD COLUMN unread boolean NOT NULL DEFAULT false');
  await knex.schema.createTable('mail_forwards', (table) => {
    table.integer('mailbox_id').primary().references('mailboxes.id').onDelete('CASCADE');
    table.text('target').notNullable();
    // Null once the target has agreed.
    table.text('code_hash').unique();
    table.bigInteger('expires_at').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('mail_forwards');
  await knex.raw('ALTER TABLE mail_messages DROP COLUMN unread');
}
