import type { Knex } from 'knex';

/** How each table is sorted by name, size and what is counted (see `sorted` in db/content/kinds.ts); null for what is not. */
const TABLES = {
  images: { name: 'coalesce(original_name, unique_id)', isSized: true, hits: 'views', counted: 'max_views' },
  pastes: { name: 'coalesce(title, unique_id)', isSized: true, hits: null, counted: null },
  short_urls: { name: 'substr(original_url, 1, 200)', isSized: false, hits: null, counted: null },
} as const;

/** The conditions as `VISIBLE` in db/content/visibility.ts has them. Each item that fulfils none costs nothing. */
const VISIBILITIES = {
  private: { columns: 'created_at', which: 'NOT is_public' },
  protected: { columns: 'created_at, is_public', which: 'password_hash IS NOT NULL' },
} as const;

/**
 * The lists of an account in every order, and what of it not everybody reaches, along an index. Links have none by visits:
 * each redirect would have to change it. The index of pastes by time goes, as `pastes_counted` begins with the same columns:
 * so a paste writes one more than before, not two.
 */
export async function up(knex: Knex): Promise<void> {
  const isPostgres = knex.client.config.client === 'pg';
  const index = (name: string, table: string, columns: string, which = '') =>
    knex.raw(
      `CREATE INDEX ${table}_${name} ON ${table} (owner_id, ${columns}) WHERE ${which}trashed_at IS NULL`,
    );
  // SQLite has the id in every index anyway.
  const id = isPostgres ? ', id' : '';
  for (const [table, { name, isSized, hits, counted }] of Object.entries(TABLES)) {
    const folded = isPostgres ? `lower(${name} COLLATE "C")` : `lower(${name})`;
    await index('named', table, `${folded}${id}`);
    if (isSized) await index('sized', table, `size${id}`);
    if (hits !== null) await index('viewed', table, `${hits}, created_at`, `${counted} IS NOT NULL AND `);
    for (const [visibility, { columns, which }] of Object.entries(VISIBILITIES))
      await index(visibility, table, columns, `${which} AND `);
  }
  await index('of_medium', 'images', 'media_kind, created_at');
  await knex.raw('DROP INDEX pastes_owner');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('CREATE INDEX pastes_owner ON pastes (owner_id, created_at)');
  await knex.raw('DROP INDEX images_of_medium');
  for (const [table, { isSized, hits }] of Object.entries(TABLES)) {
    const names = [
      ...['named', ...Object.keys(VISIBILITIES)],
      ...(isSized ? ['sized'] : []),
      ...(hits === null ? [] : ['viewed']),
    ];
    for (const name of names) await knex.raw(`DROP INDEX ${table}_${name}`);
  }
}
