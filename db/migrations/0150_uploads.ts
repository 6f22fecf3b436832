import type { Knex } from 'knex';

/**
 * Uploads that arrive in several requests. `received` and the rows of `upload_parts` change in one transaction, after
 * the bytes themselves are durable; `lock_token` names the only request that may change them.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('uploads', (table) => {
    table.increments('id');
    table.text('secret_hash').notNullable().unique();
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('purpose').notNullable();
    table.text('fields').notNullable();
    table.text('metadata');
    table.text('filename');
    table.text('filetype');
    // Null as long as the client has not said it.
    table.bigInteger('length');
    table.bigInteger('received').notNullable();
    table.text('state').notNullable();
    table.text('reason');
    table.integer('image_id').references('images.id').onDelete('SET NULL').index();
    table.text('lock_token');
    table.bigInteger('lock_until');
    table.boolean('lock_wanted').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
    table.index(['owner_id', 'state']);
  });

  await knex.schema.createTable('upload_parts', (table) => {
    table.integer('upload_id').notNullable().references('uploads.id').onDelete('CASCADE');
    table.bigInteger('start').notNullable();
    table.bigInteger('size').notNullable();
    table.text('part_key').notNullable().unique();
    table.primary(['upload_id', 'start']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('upload_parts');
  await knex.schema.dropTable('uploads');
}
