import type { Knex } from 'knex';

/**
 * Accounts, content and links. Times are epoch milliseconds (UTC). `*_key` columns hold the lower-case form
 * of what is unique without regard to case. `*_hash` columns of secrets hold SHA-256, except passwords (argon2id).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('users', (table) => {
    table.increments('id');
    table.text('username').notNullable();
    table.text('username_key').notNullable().unique();
    table.text('email').notNullable();
    table.text('email_key').notNullable().unique();
    table.text('password_hash').notNullable();
    table.text('role').notNullable();
    table.text('status').notNullable();
    table.text('avatar');
    table.integer('invited_by').references('users.id').onDelete('SET NULL');
    table.text('socials').notNullable().defaultTo('{}');
    table.text('url_settings').notNullable().defaultTo('{}');
    table.text('embed_settings').notNullable().defaultTo('{}');
    table.bigInteger('created_at').notNullable();
  });

  await knex.schema.createTable('api_keys', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('name').notNullable();
    table.boolean('is_main').notNullable();
    table.text('key_hash').notNullable().unique();
    table.text('key_cipher').notNullable();
    table.text('scopes');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at');
    table.bigInteger('last_used_at');
  });
  await knex.raw('CREATE UNIQUE INDEX api_keys_main ON api_keys (user_id) WHERE is_main');

  await knex.schema.createTable('sessions', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('token_hash').notNullable().unique();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
    table.text('user_agent');
    table.text('ip_address');
  });

  await knex.schema.createTable('invites', (table) => {
    table.increments('id');
    table.text('code_hash').notNullable().unique();
    table.text('code_cipher');
    table.text('role').notNullable();
    table.integer('created_by').references('users.id').onDelete('SET NULL');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at');
    table.integer('max_uses').notNullable();
    table.integer('uses').notNullable();
    table.bigInteger('used_at');
    table.integer('used_by').references('users.id').onDelete('SET NULL');
  });

  await knex.schema.createTable('blobs', (table) => {
    table.text('sha256').primary();
    table.bigInteger('size').notNullable();
    table.integer('refs').notNullable();
    table.bigInteger('doomed_at');
  });
  await knex.raw('CREATE INDEX blobs_unused ON blobs (sha256) WHERE refs = 0');

  await knex.schema.createTable('images', (table) => {
    content(table);
    table.text('sha256').notNullable().index();
    table.bigInteger('size').notNullable();
    table.text('mime_type').notNullable();
    table.text('type').notNullable();
    table.text('media_kind').notNullable();
    table.text('original_name');
    table.text('description');
    table.text('source').notNullable();
    table.text('location').notNullable();
    table.integer('width');
    table.integer('height');
    table.bigInteger('duration_ms');
    table.boolean('animated').notNullable().defaultTo(false);
    table.text('thumbhash');
    table.text('poster_sha256');
    table.integer('max_views');
    table.integer('views').notNullable().defaultTo(0);
  });
  await contentIndexes(knex, 'images');

  await knex.schema.createTable('pastes', (table) => {
    content(table);
    table.text('title');
    table.text('content').notNullable();
    table.integer('size').notNullable();
    table.text('language');
    table.boolean('burn').notNullable();
  });
  await contentIndexes(knex, 'pastes');

  await knex.schema.createTable('short_urls', (table) => {
    content(table);
    table.text('original_url').notNullable();
    table.bigInteger('visits').notNullable();
    table.bigInteger('max_uses');
  });
  await contentIndexes(knex, 'short_urls');

  await knex.schema.createTable('url_visits', (table) => {
    table.bigIncrements('id');
    table.integer('url_id').notNullable().references('short_urls.id').onDelete('CASCADE');
    table.bigInteger('visited_at').notNullable();
    table.text('user_agent');
    table.text('ip_address');
    table.text('referrer_host');
    table.index(['url_id', 'id']);
  });

  await knex.schema.createTable('installation', (table) => {
    table.text('name').primary();
    table.text('value').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'installation',
    'url_visits',
    'short_urls',
    'pastes',
    'images',
    'blobs',
    'invites',
    'sessions',
    'api_keys',
    'users',
  ]) {
    await knex.schema.dropTable(table);
  }
}

/** The columns that images, pastes and short URLs share. `lookup_id` is `unique_id` in lower case. */
function content(table: Knex.CreateTableBuilder): void {
  table.increments('id');
  table.text('unique_id').notNullable();
  table.text('lookup_id').notNullable().unique();
  table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
  table.boolean('is_public').notNullable();
  table.text('password_hash');
  // Another kind held this id first, so `/r/{id}` may mean that one.
  table.boolean('shadowed').notNullable();
  table.bigInteger('created_at').notNullable();
  table.bigInteger('expires_at');
}

async function contentIndexes(knex: Knex, name: string): Promise<void> {
  await knex.raw(`CREATE INDEX ${name}_owner ON ${name} (owner_id, created_at)`);
  await knex.raw(`CREATE INDEX ${name}_created ON ${name} (created_at)`);
  await knex.raw(`CREATE INDEX ${name}_expires ON ${name} (expires_at) WHERE expires_at IS NOT NULL`);
}
