import type { Knex } from 'knex';

/** Passkeys of accounts, and the challenges that were answered with one. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('passkeys', (table) => {
    table.increments('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('credential_id').notNullable().unique();
    table.text('public_key').notNullable();
    table.bigInteger('counter').notNullable();
    table.text('transports').notNullable();
    table.boolean('backed_up').notNullable();
    table.text('name').notNullable();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
    table.text('last_used_ip');
  });

  // A challenge is good for one answer; until it expires, it is remembered that it had one.
  await knex.schema.createTable('passkey_answers', (table) => {
    table.text('challenge_hash').primary();
    table.bigInteger('expires_at').notNullable().index();
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['passkey_answers', 'passkeys']) await knex.schema.dropTable(table);
}
