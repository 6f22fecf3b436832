import type { Knex } from 'knex';

/**
 * SQLite reads the whole text of a row to get at what is stored behind it. Statistics and originals, which anybody may
 * ask for many times at once, find that in an index.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX pastes_counted ON pastes (owner_id, created_at, trashed_at, size)');
  await knex.raw(
    `CREATE INDEX mail_contents_originals ON mail_contents (mail_id, original_sha256, original_size)
     WHERE original_sha256 IS NOT NULL`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX mail_contents_originals');
  await knex.raw('DROP INDEX pastes_counted');
}
