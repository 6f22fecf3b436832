import type { Knex } from 'knex';

const ITEMS = ['images', 'pastes', 'short_urls'];

/** How often and when an item was last changed, since when it has its id, and whether it may have tags. */
const COLUMNS = {
  revision: 'integer NOT NULL DEFAULT 1',
  updated_at: 'bigint',
  named_at: 'bigint',
  tagged: 'boolean NOT NULL DEFAULT false',
} as const;

/** What only links have: whether the query of a visit goes on to the target, a note, and a preview of one's own. */
const OF_LINKS = {
  forward_query: 'boolean NOT NULL DEFAULT false',
  note: 'text',
  preview: 'text',
} as const;

/** Items that change: their revisions, the ids that they had before, and their tags. */
export async function up(knex: Knex): Promise<void> {
  // Columns with a constant default rewrite no row on either database.
  for (const table of ITEMS)
    for (const [name, type] of Object.entries(COLUMNS))
      await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
  for (const [name, type] of Object.entries(OF_LINKS))
    await knex.raw(`ALTER TABLE short_urls ADD COLUMN ${name} ${type}`);

  // A former id opens its item as long as that exists, and nothing else of the kind can take it.
  await knex.schema.createTable('item_aliases', (table) => {
    table.text('kind').notNullable();
    table.text('lookup_id').notNullable();
    table.text('unique_id').notNullable();
    table.integer('item_id').notNullable();
    table.bigInteger('held_since').notNullable();
    table.primary(['kind', 'lookup_id']);
    table.index(['kind', 'item_id']);
  });

  // `items` counts what has the tag, so that a list of tags reads no items.
  await knex.schema.createTable('tags', (table) => {
    table.increments('id');
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('tag_key').notNullable();
    table.text('name').notNullable();
    table.bigInteger('items').notNullable();
    table.unique(['owner_id', 'tag_key']);
  });
  await knex.schema.createTable('item_tags', (table) => {
    table.integer('tag_id').notNullable().references('tags.id').onDelete('CASCADE');
    table.text('kind').notNullable();
    table.integer('item_id').notNullable();
    table.primary(['tag_id', 'kind', 'item_id']);
    table.index(['kind', 'item_id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['item_tags', 'tags', 'item_aliases']) await knex.schema.dropTable(table);
  for (const name of Object.keys(OF_LINKS)) await knex.raw(`ALTER TABLE short_urls DROP COLUMN ${name}`);
  for (const table of ITEMS)
    for (const name of Object.keys(COLUMNS)) await knex.raw(`ALTER TABLE ${table} DROP COLUMN ${name}`);
}
