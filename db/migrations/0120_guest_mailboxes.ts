import type { Knex } from 'knex';

/** A guest mailbox has no owner: only its cookie and administrators open it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mailboxes ADD COLUMN guest boolean NOT NULL DEFAULT false');
  await knex.raw('CREATE INDEX mailboxes_guests ON mailboxes (expires_at) WHERE guest');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX mailboxes_guests');
  await knex.raw('ALTER TABLE mailboxes DROP COLUMN guest');
}
