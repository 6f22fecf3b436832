import type { Knex } from 'knex';

/** The last millisecond of the year 9999. */
const LAST_MS = 253_402_300_799_999;

/**
 * Sizes and durations that no file can mean, as headers were once believed to say them, and ends after the year 9999, as
 * zones could lead there: no record can show such a number, and lists that held one failed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'UPDATE images SET width = NULL, height = NULL WHERE width > 2147483647 OR height > 2147483647',
  );
  for (const table of ['images', 'pastes', 'short_urls', 'invites'])
    await knex(table).where('expires_at', '>', LAST_MS).update('expires_at', LAST_MS);
  await knex.raw('UPDATE images SET duration_ms = NULL WHERE duration_ms > 9007199254740991');
}

/** What was nonsense is not brought back. */
export async function down(): Promise<void> {}
