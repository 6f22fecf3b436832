import type { Knex } from 'knex';

/** What accounts need around themselves: verification, reset, pictures, outgoing webhooks, the audit log. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('users', (table) => {
    // The uploaded picture; `avatar` is the address of one elsewhere.
    table.text('avatar_sha256');
  });

  // Cookies of accounts that wait for their verification.
  await knex.schema.createTable('verify_tokens', (table) => {
    table.text('token_hash').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.bigInteger('expires_at').notNullable().index();
  });

  // The one live code of an account for a purpose, bound to the address it was sent to.
  await knex.schema.createTable('codes', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('purpose').notNullable();
    table.text('email_key').notNullable();
    table.text('code_hash');
    table.text('link_hash').notNullable().unique();
    table.integer('attempts').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('expires_at').notNullable().index();
    table.primary(['user_id', 'purpose']);
  });

  // Where an account wants its events sent. Address and secret are encrypted: either may be a credential.
  await knex.schema.createTable('webhooks', (table) => {
    table.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    table.text('url_cipher');
    table.text('secret_cipher');
    table.text('format');
    table.text('events');
    table.bigInteger('updated_at').notNullable();
  });

  // Numbers without foreign keys: an entry outlives the accounts it names.
  await knex.schema.createTable('audit_log', (table) => {
    table.bigIncrements('id');
    table.bigInteger('at').notNullable().index();
    table.text('event').notNullable();
    table.integer('actor_id').index();
    table.integer('subject_id').index();
    table.text('ip_address');
    table.text('details').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['audit_log', 'webhooks', 'codes', 'verify_tokens']) await knex.schema.dropTable(table);
  await knex.raw('ALTER TABLE users DROP COLUMN avatar_sha256');
}
