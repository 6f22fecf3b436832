import type { Knex } from 'knex';

/** Accounts at a chat application and at a messenger that are linked to accounts here, and how linking begins. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('chat_links', (table) => {
    table.increments('id');
    table.integer('user_id').notNullable().unique().references('users.id').onDelete('CASCADE');
    table.text('chat_id').notNullable().unique();
    table.text('username').notNullable();
    table.text('global_name');
    table.text('avatar').notNullable();
    table.text('email');
    table.text('access_cipher').notNullable();
    table.text('refresh_cipher');
    table.bigInteger('expires_at').notNullable();
    // While one process renews the tokens, no other does: a refresh token works once.
    table.bigInteger('renewing_until');
    table.bigInteger('connected_at').notNullable();
  });

  // A browser that was sent to the provider. Taken, and so gone, when it comes back.
  await knex.schema.createTable('oauth_states', (table) => {
    table.text('state_hash').primary();
    table.text('cookie_hash').notNullable();
    table.text('intent').notNullable();
    table.integer('user_id').references('users.id').onDelete('CASCADE').index();
    table.text('verifier_cipher').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });

  await knex.schema.createTable('messenger_links', (table) => {
    table.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    table.text('messenger_id').notNullable().unique();
    table.text('chat_id').notNullable();
    table.text('username');
    table.text('name').notNullable();
    table.bigInteger('connected_at').notNullable();
  });

  // The one live code of an account for a purpose, which the person sends to the bot.
  await knex.schema.createTable('messenger_codes', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('purpose').notNullable();
    table.text('code_hash').notNullable().unique();
    table.bigInteger('expires_at').notNullable().index();
    table.primary(['user_id', 'purpose']);
  });

  // Messages to the bot that were acted on; the same one may arrive again.
  await knex.schema.createTable('messenger_updates', (table) => {
    table.bigInteger('update_id').primary();
    table.bigInteger('taken_at').notNullable().index();
  });

  // Work that one process of all does; whoever holds the lease.
  await knex.schema.createTable('leases', (table) => {
    table.text('name').primary();
    table.text('holder').notNullable();
    table.bigInteger('held_until').notNullable();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of [
    'leases',
    'messenger_updates',
    'messenger_codes',
    'messenger_links',
    'oauth_states',
    'chat_links',
  ]) {
    await knex.schema.dropTable(table);
  }
}
