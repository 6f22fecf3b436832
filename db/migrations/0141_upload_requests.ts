import type { Knex } from 'knex';

/** Links by which others upload to an account, and what came in by them. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('upload_requests', (table) => {
    table.increments('id');
    table.text('unique_id').notNullable();
    table.text('lookup_id').notNullable().unique();
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.integer('collection_id').references('collections.id').onDelete('SET NULL').index();
    table.text('title').notNullable();
    table.text('note');
    table.bigInteger('max_files');
    table.bigInteger('max_bytes');
    table.text('types');
    table.bigInteger('expires_at');
    table.text('password_hash');
    table.boolean('ask_name').notNullable();
    table.boolean('notify').notNullable();
    table.boolean('blind').notNullable();
    table.boolean('closed').notNullable();
    // What has come in, counted in the transaction that stores it: the limits are exact.
    table.bigInteger('files').notNullable();
    table.bigInteger('bytes').notNullable();
    // When a mail about arrivals is due, and until when the last one reported them.
    table.bigInteger('notice_at');
    table.bigInteger('notified_at');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('updated_at');
    table.index(['owner_id', 'id']);
  });

  await knex.schema.createTable('upload_request_files', (table) => {
    table.increments('id');
    table.integer('request_id').notNullable().references('upload_requests.id').onDelete('CASCADE');
    table.integer('image_id').references('images.id').onDelete('SET NULL').index();
    table.text('name').notNullable();
    table.bigInteger('size').notNullable();
    table.text('sender');
    table.bigInteger('received_at').notNullable();
    table.index(['request_id', 'id']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('upload_request_files');
  await knex.schema.dropTable('upload_requests');
}
