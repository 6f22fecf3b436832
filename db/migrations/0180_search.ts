import type { Knex } from 'knex';

const TABLES = { image: 'images', paste: 'pastes', url: 'short_urls' } as const;

/**
 * The full-text index over items of every kind. It begins empty: the start fills it in steps (db/search/fill.ts), for
 * which `search_fill` says how far they are.
 */
export async function up(knex: Knex): Promise<void> {
  await (knex.client.config.client === 'pg' ? upPostgres(knex) : upSqlite(knex));
  await knex.schema.createTable('search_fill', (table) => {
    table.text('kind').primary();
    table.integer('done_id').notNullable();
    table.integer('until_id').notNullable();
  });
  for (const [kind, table] of Object.entries(TABLES))
    await knex.raw(
      `INSERT INTO search_fill (kind, done_id, until_id) SELECT '${kind}', 0, max(id) FROM ${table} HAVING max(id) IS NOT NULL`,
    );
  // Items are found by the ids of their tags. Those of a tag that became part of another one keep the former id.
  await knex.schema.createTable('merged_tags', (table) => {
    table.integer('former_id').primary();
    table.integer('tag_id').notNullable().references('tags.id').onDelete('CASCADE').index();
  });
}

async function upSqlite(knex: Knex): Promise<void> {
  // Without a copy of the texts. With an index of beginnings, because a word is found by its beginning: without it all
  // that a common word is in would be gathered first.
  await knex.raw(
    `CREATE VIRTUAL TABLE search_index USING fts5(whose, tags, shown, own, content='', contentless_delete=1,
       prefix='1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16',
       tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* Co'")`,
  );
}

async function upPostgres(knex: Knex): Promise<void> {
  await knex.schema.createTable('search_texts', (table) => {
    table.text('kind').notNullable();
    table.integer('item_id').notNullable();
    table.integer('part').notNullable();
    table.integer('parts').notNullable();
    table.integer('owner_id').notNullable();
    table.specificType('words', 'tsvector').notNullable();
    table.primary(['kind', 'item_id', 'part']);
    table.index(['owner_id', 'kind', 'item_id']);
  });
  // Long texts are apart, because what they have is spread over several rows.
  for (const [name, which] of Object.entries({ whole: 'parts = 1', parts: 'parts > 1' }))
    await knex.raw(
      `CREATE INDEX search_texts_${name} ON search_texts USING gin (words) WITH (gin_pending_list_limit = 512) WHERE ${which}`,
    );
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['merged_tags', 'search_fill']) await knex.schema.dropTable(table);
  await knex.schema.dropTable(knex.client.config.client === 'pg' ? 'search_texts' : 'search_index');
}
