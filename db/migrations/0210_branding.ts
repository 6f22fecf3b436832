import type { Knex } from 'knex';

/** How the operator's house looks and what its policies say: one row, made here, so that a change is one UPDATE. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('branding', (table) => {
    table.integer('id').primary();
    table.text('name');
    table.text('tagline');
    table.text('logo');
    table.text('accent');
    table.text('footer_links');
    table.text('banner');
    table.text('privacy');
    table.text('imprint');
  });
  await knex('branding').insert({ id: 1 });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('branding');
}
