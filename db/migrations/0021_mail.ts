import type { Knex } from 'knex';

/**
 * Received mail. `content` is JSON of the mail without its attachments. A removed message keeps its row, without
 * content, for as long as the provider might deliver it again.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('mailboxes', (table) => {
    table.increments('id');
    // Lower case.
    table.text('address').notNullable().unique();
    // Null once the account is gone: the mailbox is deleted, its address reserved.
    table.integer('owner_id').references('users.id').onDelete('SET NULL').index();
    table.text('status').notNullable();
    // Who suspended it: what an administrator has suspended its owner cannot open.
    table.integer('suspended_by').references('users.id').onDelete('SET NULL');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at');
    table.text('token_hash').notNullable();
  });

  await knex.schema.createTable('mail_messages', (table) => {
    table.bigIncrements('id');
    table.integer('mailbox_id').notNullable().references('mailboxes.id').onDelete('CASCADE');
    table.text('message_id').notNullable();
    table.bigInteger('received_at').notNullable();
    table.bigInteger('removed_at');
    table.bigInteger('size').notNullable();
    table.text('content').notNullable();
    table.unique(['mailbox_id', 'message_id']);
    table.index(['mailbox_id', 'id']);
  });
  await knex.raw(
    'CREATE INDEX mail_messages_removed ON mail_messages (removed_at) WHERE removed_at IS NOT NULL',
  );

  await knex.schema.createTable('mail_attachments', (table) => {
    table.bigIncrements('id');
    table.bigInteger('mail_id').notNullable().references('mail_messages.id').onDelete('CASCADE').index();
    table.text('filename').notNullable();
    table.text('content_type').notNullable();
    table.bigInteger('size').notNullable();
    // Null when there are no bytes: an empty file, or one the provider no longer had.
    table.text('sha256');
  });

  await knex.schema.createTable('mail_tokens', (table) => {
    table.text('token_hash').primary();
    // What the token was used for: a hash of the Message-Id and the recipients.
    table.text('delivery').notNullable();
    table.bigInteger('taken_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['mail_tokens', 'mail_attachments', 'mail_messages', 'mailboxes']) {
    await knex.schema.dropTable(table);
  }
}
