import type { Knex } from 'knex';

/** What the index of an account's items by time has of each table; `owner` is its name. */
const TABLES = {
  images: { owner: 'images_owner', before: '', more: '' },
  pastes: { owner: 'pastes_counted', before: ', trashed_at, size', more: ', size' },
  short_urls: { owner: 'short_urls_owner', before: '', more: '' },
} as const;

async function replace(knex: Knex, table: string, name: string, columns: string): Promise<void> {
  await knex.raw(`DROP INDEX ${name}`);
  await knex.raw(`CREATE INDEX ${name} ON ${table} (${columns})`);
}

/** Lists by time are counted off in their indexes, without the rows before the page that is shown. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, { owner, more }] of Object.entries(TABLES)) {
    await replace(knex, table, owner, `owner_id, created_at, id, trashed_at${more}`);
    await replace(knex, table, `${table}_created`, 'created_at, id, trashed_at, owner_id');
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, { owner, before }] of Object.entries(TABLES)) {
    await replace(knex, table, owner, `owner_id, created_at${before}`);
    await replace(knex, table, `${table}_created`, 'created_at');
  }
}
