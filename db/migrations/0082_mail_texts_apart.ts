import type { Knex } from 'knex';

/** What lists show of a mail stands beside it, and what it says in a table of its own, which no list reads. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('mail_contents', (table) => {
    table.bigInteger('mail_id').primary().references('mail_messages.id').onDelete('CASCADE');
    table.text('content').notNullable();
  });
  await knex.raw(
    'INSERT INTO mail_contents (mail_id, content) SELECT id, content FROM mail_messages WHERE removed_at IS NULL',
  );
  // A removed message has none of these.
  await knex.raw("ALTER TABLE mail_messages ADD COLUMN from_text text NOT NULL DEFAULT ''");
  await knex.raw("ALTER TABLE mail_messages ADD COLUMN subject text NOT NULL DEFAULT ''");
  await knex.raw('ALTER TABLE mail_messages ADD COLUMN sent_at bigint');
  const content = isPostgres(knex) ? 'content::json' : 'content';
  await knex.raw(
    `UPDATE mail_messages SET from_text = coalesce(${content} ->> 'from', ''), subject = coalesce(${content} ->> 'subject', ''),
       sent_at = CAST(${content} ->> 'date' AS bigint) WHERE removed_at IS NULL`,
  );
  await knex.raw('ALTER TABLE mail_messages DROP COLUMN content');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE mail_messages ADD COLUMN content text NOT NULL DEFAULT ''");
  await knex.raw(
    `UPDATE mail_messages SET content = (SELECT content FROM mail_contents WHERE mail_id = mail_messages.id)
     WHERE removed_at IS NULL`,
  );
  for (const column of ['from_text', 'subject', 'sent_at'])
    await knex.raw(`ALTER TABLE mail_messages DROP COLUMN ${column}`);
  await knex.schema.dropTable('mail_contents');
}

const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';
