import type { Knex } from 'knex';

const TABLES = { image: 'images', paste: 'pastes', url: 'short_urls' } as const;

/**
 * Words are compared without their accents, so the index of searches is filled again, beside the requests. Its entries
 * stay until they are replaced: what has no accents is found meanwhile.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('DELETE FROM search_fill');
  for (const [kind, table] of Object.entries(TABLES))
    await knex.raw(
      `INSERT INTO search_fill (kind, done_id, until_id) SELECT '${kind}', 0, max(id) FROM ${table} HAVING max(id) IS NOT NULL`,
    );
}

/** What ran before compares words with their accents, and fills it in its own form. */
export const down = up;
