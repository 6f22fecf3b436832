import type { Knex } from 'knex';

/**
 * Sizes and durations that no file can mean, as headers were once believed to say them: no record can show such a number,
 * and SQLite has taken them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'UPDATE images SET width = NULL, height = NULL WHERE width > 2147483647 OR height > 2147483647',
  );
  await knex.raw('UPDATE images SET duration_ms = NULL WHERE duration_ms > 9007199254740991');
}

/** What was nonsense is not brought back. */
export async function down(): Promise<void> {}
