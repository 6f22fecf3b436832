import type { Knex } from 'knex';

/** Whether the targets of a link answer, when that was looked at, and when it is looked at next. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE short_urls ADD COLUMN health text');
  await knex.raw('ALTER TABLE short_urls ADD COLUMN checked_at bigint');
  await knex.raw('ALTER TABLE short_urls ADD COLUMN check_at bigint NOT NULL DEFAULT 0');
  await knex.raw('CREATE INDEX short_urls_check ON short_urls (check_at) WHERE trashed_at IS NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX short_urls_check');
  for (const column of ['health', 'checked_at', 'check_at'])
    await knex.raw(`ALTER TABLE short_urls DROP COLUMN ${column}`);
}
