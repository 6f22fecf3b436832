import type { Knex } from 'knex';

/** Whether the pictures of an account are read, and what was read in pictures by itself, so that it can be forgotten. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN ocr boolean NOT NULL DEFAULT true');
  await knex.raw('CREATE INDEX image_words_source ON image_words (source, image_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX image_words_source');
  await knex.raw('ALTER TABLE users DROP COLUMN ocr');
}
