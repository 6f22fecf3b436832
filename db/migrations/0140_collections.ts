import type { Knex } from 'knex';

/**
 * Playlists become collections of any files: with a path for each file, a password, an expiry and a view limit. A
 * file pack of a portal is one of them, whose files have addresses of their own. Share links open a collection by a
 * secret. A reservation says what it was made for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.renameTable('playlists', 'collections');
  await knex.schema.renameTable('playlist_items', 'collection_items');
  await knex.raw('ALTER TABLE collection_items RENAME COLUMN playlist_id TO collection_id');
  for (const column of COLLECTION_COLUMNS) await knex.raw(`ALTER TABLE collections ADD COLUMN ${column}`);
  await knex.raw('ALTER TABLE collection_items ADD COLUMN path text');
  await knex.raw('ALTER TABLE collection_items ADD COLUMN address text');
  await knex.raw('ALTER TABLE collection_items ADD COLUMN file_type text');
  await knex.raw(
    'CREATE UNIQUE INDEX collection_items_address ON collection_items (address) WHERE address IS NOT NULL',
  );
  await knex.raw("ALTER TABLE reservations ADD COLUMN purpose text NOT NULL DEFAULT 'image'");

  await knex.schema.createTable('collection_links', (table) => {
    table.increments('id');
    table.integer('collection_id').notNullable().references('collections.id').onDelete('CASCADE').index();
    table.text('secret_hash').notNullable().unique();
    table.text('secret_cipher').notNullable();
    table.text('password_hash');
    table.bigInteger('expires_at');
    table.bigInteger('max_views');
    table.bigInteger('views').notNullable();
    table.text('note');
    table.bigInteger('created_at').notNullable();
  });
}

const COLLECTION_COLUMNS = [
  "face text NOT NULL DEFAULT 'playlist'",
  'tags text',
  'is_public boolean NOT NULL DEFAULT true',
  'password_hash text',
  'expires_at bigint',
  'max_views bigint',
  'updated_at bigint',
];

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('collection_links');
  await knex.raw("DELETE FROM reservations WHERE purpose <> 'image'");
  await knex.raw('ALTER TABLE reservations DROP COLUMN purpose');
  await knex.raw('DROP INDEX collection_items_address');
  for (const column of ['path', 'address', 'file_type'])
    await knex.raw(`ALTER TABLE collection_items DROP COLUMN ${column}`);
  for (const column of COLLECTION_COLUMNS)
    await knex.raw(`ALTER TABLE collections DROP COLUMN ${column.split(' ')[0]}`);
  await knex.raw('ALTER TABLE collection_items RENAME COLUMN collection_id TO playlist_id');
  await knex.schema.renameTable('collection_items', 'playlist_items');
  await knex.schema.renameTable('collections', 'playlists');
}
