import type { Knex } from 'knex';

/** Share links open files and pastes, too, and may show pictures in a smaller size only. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('share_links', (table) => {
    table.increments('id');
    // One of the three names what the link opens.
    table.integer('collection_id').references('collections.id').onDelete('CASCADE').index();
    table.integer('image_id').references('images.id').onDelete('CASCADE').index();
    table.integer('paste_id').references('pastes.id').onDelete('CASCADE').index();
    table.text('secret_hash').notNullable().unique();
    table.text('secret_cipher').notNullable();
    table.text('password_hash');
    table.bigInteger('expires_at');
    table.bigInteger('max_views');
    table.bigInteger('views').notNullable();
    table.text('note');
    table.boolean('renditions_only').notNullable().defaultTo(false);
    table.bigInteger('created_at').notNullable();
  });
  await knex.raw(
    `INSERT INTO share_links (${COLUMNS}, renditions_only) SELECT ${COLUMNS}, false FROM collection_links`,
  );
  await continueIds(knex, 'share_links');
  await knex.schema.dropTable('collection_links');
}

const COLUMNS =
  'id, collection_id, secret_hash, secret_cipher, password_hash, expires_at, max_views, views, note, created_at';

/** Lets PostgreSQL give ids behind those that were copied. */
async function continueIds(knex: Knex, table: string): Promise<void> {
  if (knex.client.config.client === 'pg')
    await knex.raw(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 0) + 1, false) FROM ${table}`,
    );
}

export async function down(knex: Knex): Promise<void> {
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
  await knex.raw(
    `INSERT INTO collection_links (${COLUMNS}) SELECT ${COLUMNS} FROM share_links WHERE collection_id IS NOT NULL`,
  );
  await continueIds(knex, 'collection_links');
  await knex.schema.dropTable('share_links');
}
