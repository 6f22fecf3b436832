import type { Knex } from 'knex';

/**
 * The original of a mail, what its attachments are to its HTML, and the codes that a list shows. Nothing is known of
 * the mails that are here already.
 */
export async function up(knex: Knex): Promise<void> {
  // Beside the content: no list reads it, and it goes with it.
  await knex.raw('ALTER TABLE mail_contents ADD COLUMN original_sha256 text');
  await knex.raw('ALTER TABLE mail_contents ADD COLUMN original_size bigint');
  await knex.raw('ALTER TABLE mail_attachments ADD COLUMN content_id text');
  await knex.raw('ALTER TABLE mail_attachments ADD COLUMN disposition text');
  // JSON.
  await knex.raw("ALTER TABLE mail_messages ADD COLUMN codes text NOT NULL DEFAULT '[]'");
}

export async function down(knex: Knex): Promise<void> {
  for (const column of ['original_sha256', 'original_size'])
    await knex.raw(`ALTER TABLE mail_contents DROP COLUMN ${column}`);
  for (const column of ['content_id', 'disposition'])
    await knex.raw(`ALTER TABLE mail_attachments DROP COLUMN ${column}`);
  await knex.raw('ALTER TABLE mail_messages DROP COLUMN codes');
}
