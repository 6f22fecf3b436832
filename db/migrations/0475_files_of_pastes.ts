import type { Knex } from 'knex';

/** Pastes of several files: their names, and where each is in the text. */
export async function up(knex: Knex): Promise<void> {
  for (const table of ['pastes', 'paste_revisions'])
    for (const column of ['file_names', 'file_parts'])
      await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${column} text`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['paste_revisions', 'pastes'])
    for (const column of ['file_parts', 'file_names'])
      await knex.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}
