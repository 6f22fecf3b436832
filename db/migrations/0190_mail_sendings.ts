import type { Knex } from 'knex';

/** The mails that accounts send, and what became of each for each recipient. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('mail_sendings', (table) => {
    table.increments('id').primary();
    table.integer('account_id').notNullable().references('users.id').onDelete('CASCADE');
    // Null for mails that no mailbox sends.
    table.integer('mailbox_id').references('mailboxes.id').onDelete('CASCADE').index();
    table.text('message_id').notNullable().unique();
    table.text('kind').notNullable();
    // The Message-Id of the mail that it answers or sends on.
    table.text('about').index();
    // The plain address that bounces come back to.
    table.text('sender').notNullable().index();
    table.text('subject').notNullable();
    table.bigInteger('sent_at').notNullable().index();
    table.index(['account_id', 'id']);
  });
  await knex.schema.createTable('mail_recipients', (table) => {
    table.integer('sending_id').notNullable().references('mail_sendings.id').onDelete('CASCADE');
    table.text('address').notNullable();
    table.text('state').notNullable();
    table.text('answer');
    table.bigInteger('changed_at').notNullable();
    // The Message-Id of the mail that said so.
    table.text('report_id').index();
    table.primary(['sending_id', 'address']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['mail_recipients', 'mail_sendings']) await knex.schema.dropTable(table);
}
