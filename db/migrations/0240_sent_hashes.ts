import type { Knex } from 'knex';

/**
 * The hash of the bytes of a file as they were sent, where it differs from what is kept because metadata was removed;
 * and indexes to find what an account has by either hash.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE images ADD COLUMN sent_sha256 text');
  await knex.raw('CREATE INDEX images_own_sha256 ON images (owner_id, sha256)');
  await knex.raw(
    'CREATE INDEX images_own_sent_sha256 ON images (owner_id, sent_sha256) WHERE sent_sha256 IS NOT NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const index of ['images_own_sent_sha256', 'images_own_sha256']) await knex.raw(`DROP INDEX ${index}`);
  await knex.raw('ALTER TABLE images DROP COLUMN sent_sha256');
}
