import type { Knex } from 'knex';

/** What grows out of images: renditions and playlists; uploads by URL; whose metadata is kept. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (table) => {
    table.text('metadata_policy').notNullable().defaultTo('strip');
  });

  // `sha256` null: this rendition was tried and cannot be made.
  await knex.schema.createTable('renditions', (table) => {
    table.text('source_sha256').notNullable();
    table.integer('width').notNullable();
    table.text('format').notNullable();
    table.text('sha256');
    table.bigInteger('size');
    table.text('mime_type');
    table.text('extension');
    table.bigInteger('created_at').notNullable();
    table.primary(['source_sha256', 'width', 'format']);
  });
  await knex.raw('CREATE INDEX renditions_failed ON renditions (created_at) WHERE sha256 IS NULL');

  await knex.schema.createTable('playlists', (table) => {
    table.increments('id');
    table.text('unique_id').notNullable();
    table.text('lookup_id').notNullable().unique();
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('title').notNullable();
    table.text('description');
    table.integer('cover_image_id').references('images.id').onDelete('SET NULL');
    table.bigInteger('views').notNullable();
    table.bigInteger('created_at').notNullable();
    table.index(['owner_id', 'id']);
    table.index(['cover_image_id']);
  });

  await knex.schema.createTable('playlist_items', (table) => {
    table.integer('playlist_id').notNullable().references('playlists.id').onDelete('CASCADE');
    table.integer('image_id').notNullable().references('images.id').onDelete('CASCADE').index();
    table.integer('position').notNullable();
    table.primary(['playlist_id', 'image_id']);
  });

  // A URL that was handed out for one upload. `sha256` names what arrived, on stores without direct transfer.
  await knex.schema.createTable('reservations', (table) => {
    table.increments('id');
    table.text('unique_id').notNullable().unique();
    table.text('object_key').notNullable().unique();
    // A reservation outlives its owner, until the sweep has freed its bytes.
    table.integer('owner_id').references('users.id').onDelete('SET NULL').index();
    table.text('content_type').notNullable();
    table.bigInteger('size').notNullable();
    table.text('filename');
    table.text('sha256');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['reservations', 'playlist_items', 'playlists', 'renditions'])
    await knex.schema.dropTable(table);
  await knex.raw('ALTER TABLE users DROP COLUMN metadata_policy');
}
