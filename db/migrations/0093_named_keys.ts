import type { Knex } from 'knex';

/**
 * Keys with a name of their own: what they may do, whether they read as a visitor, and when and where they were
 * last used. Only the main key can be shown again, so named keys have no ciphertext.
 */
export async function up(knex: Knex): Promise<void> {
  await replaceCipher(knex, 'text');
  await knex.raw('ALTER TABLE api_keys ADD COLUMN prefix text');
  await knex.raw('ALTER TABLE api_keys ADD COLUMN as_visitor boolean NOT NULL DEFAULT false');
  await knex.raw('ALTER TABLE api_keys ADD COLUMN last_used_ip text');
}

export async function down(knex: Knex): Promise<void> {
  await knex('api_keys').where('is_main', false).delete();
  await replaceCipher(knex, "text NOT NULL DEFAULT ''");
  for (const column of ['prefix', 'as_visitor', 'last_used_ip'])
    await knex.raw(`ALTER TABLE api_keys DROP COLUMN ${column}`);
}

/** SQLite cannot change a column's constraint, but both databases can put another column in its place. */
async function replaceCipher(knex: Knex, type: string): Promise<void> {
  await knex.raw(`ALTER TABLE api_keys ADD COLUMN replacement ${type}`);
  await knex.raw('UPDATE api_keys SET replacement = key_cipher');
  await knex.raw('ALTER TABLE api_keys DROP COLUMN key_cipher');
  await knex.raw('ALTER TABLE api_keys RENAME COLUMN replacement TO key_cipher');
}
