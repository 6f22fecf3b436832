import type { Knex } from 'knex';

/** Accounts at providers of sign-ins that can sign in here, and browsers on their way to a provider and back. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('identities', (table) => {
    table.increments('id').primary();
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('provider').notNullable();
    table.text('issuer').notNullable();
    table.text('subject').notNullable();
    table.text('email');
    table.text('name');
    table.bigInteger('created_at').notNullable();
    table.bigInteger('last_used_at');
    // Two accounts never share an identity.
    table.unique(['issuer', 'subject']);
  });

  await knex.schema.createTable('oidc_flows', (table) => {
    table.text('state_hash').primary();
    table.text('cookie_hash').notNullable();
    table.text('provider').notNullable();
    // The account to link; null for a sign-in.
    table.integer('user_id').references('users.id').onDelete('CASCADE').index();
    // The verifier, the nonce, the page to continue on and the invite.
    table.text('secret_cipher').notNullable();
    table.bigInteger('expires_at').notNullable().index();
  });

  // When the holder last proved to be there, after the sign-in; and the provider of the sign-in, to end it there, too.
  await knex.raw('ALTER TABLE sessions ADD COLUMN proven_at bigint');
  await knex.raw('ALTER TABLE sessions ADD COLUMN oidc_provider text');
  await knex.raw('ALTER TABLE sessions ADD COLUMN id_token_cipher text');
}

export async function down(knex: Knex): Promise<void> {
  for (const column of ['id_token_cipher', 'oidc_provider', 'proven_at'])
    await knex.raw(`ALTER TABLE sessions DROP COLUMN ${column}`);
  for (const table of ['oidc_flows', 'identities']) await knex.schema.dropTable(table);
}
