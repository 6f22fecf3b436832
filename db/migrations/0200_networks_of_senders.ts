import type { Knex } from 'knex';

const COLUMNS = [
  ['reservations', 'sent_from'],
  ['reports', 'sent_from'],
] as const;

/** From which network a file for a reserved name and a report came, as a keyed hash: compared, but never shown. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, column] of COLUMNS) await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${column} text`);
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, column] of COLUMNS) await knex.raw(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}
