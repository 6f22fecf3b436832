import type { Knex } from 'knex';

/** The texts that pastes had before, and the pastes that others were made from. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE pastes ADD COLUMN text_revision integer NOT NULL DEFAULT 1');
  await knex.raw('ALTER TABLE pastes ADD COLUMN written_at bigint');
  await knex.raw(
    'ALTER TABLE pastes ADD COLUMN forked_from integer REFERENCES pastes (id) ON DELETE SET NULL',
  );
  await knex.raw('CREATE INDEX pastes_forks ON pastes (forked_from) WHERE forked_from IS NOT NULL');
  await knex.schema.createTable('paste_revisions', (table) => {
    table.integer('paste_id').notNullable().references('pastes.id').onDelete('CASCADE');
    table.integer('revision').notNullable();
    table.bigInteger('created_at').notNullable();
    table.integer('author_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('title');
    table.text('content').notNullable();
    table.integer('size').notNullable();
    table.text('language');
    table.primary(['paste_id', 'revision']);
  });
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('paste_revisions');
  await knex.raw('DROP INDEX pastes_forks');
  for (const name of ['forked_from', 'written_at', 'text_revision'])
    await knex.raw(`ALTER TABLE pastes DROP COLUMN ${name}`);
}
