import type { Knex } from 'knex';

/** How a link leads on: by rules, in parts, from a moment on, with the rest of a path; and what became of each visit. */
export async function up(knex: Knex): Promise<void> {
  // One text for all of it, so that links without any of it cost nothing more.
  await knex.raw('ALTER TABLE short_urls ADD COLUMN way text');
  await knex.raw('ALTER TABLE url_visits ADD COLUMN variant text');
  await knex.raw('ALTER TABLE branding ADD COLUMN unknown_url text');
  // Where an account has a link to a target already. Long targets do not fit into an index.
  await knex.raw('CREATE INDEX short_urls_by_target ON short_urls (owner_id, substr(original_url, 1, 200))');
  await knex.schema.createTable('visit_variants', (table) => {
    table.integer('url_id').notNullable();
    table.integer('day').notNullable();
    table.text('variant').notNullable();
    table.bigInteger('visits').notNullable();
    table.primary(['url_id', 'day', 'variant']);
  });
  await knex.schema.createTable('utm_presets', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('name').notNullable();
    table.text('fields').notNullable();
    table.primary(['user_id', 'name']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('utm_presets');
  await knex.schema.dropTable('visit_variants');
  await knex.raw('DROP INDEX short_urls_by_target');
  await knex.raw('ALTER TABLE branding DROP COLUMN unknown_url');
  await knex.raw('ALTER TABLE url_visits DROP COLUMN variant');
  await knex.raw('ALTER TABLE short_urls DROP COLUMN way');
}
