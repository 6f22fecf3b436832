import type { Knex } from 'knex';

/**
 * What was read in files, and how far the files are read that were stored before that was done. An item has words of its
 * bytes only.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('image_words', (table) => {
    table.integer('image_id').primary().references('images.id').onDelete('CASCADE');
    table.text('source').notNullable();
    table.text('words').notNullable();
    table.text('boxes');
  });
  await knex.schema.createTable('word_fill', (table) => {
    table.text('source').primary();
    table.integer('done_id').notNullable();
    table.integer('until_id').notNullable();
  });
  await knex.raw(
    "INSERT INTO word_fill (source, done_id, until_id) SELECT 'document', 0, max(id) FROM images HAVING max(id) IS NOT NULL",
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['word_fill', 'image_words']) await knex.schema.dropTable(table);
}
