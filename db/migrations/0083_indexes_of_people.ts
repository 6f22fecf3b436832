import type { Knex } from 'knex';

/** What names an account and is emptied with it: without an index each deletion would look at every row. */
const NAMING = [
  ['users', 'invited_by'],
  ['invites', 'created_by'],
  ['invites', 'used_by'],
  ['mailboxes', 'suspended_by'],
] as const;

export async function up(knex: Knex): Promise<void> {
  for (const [table, column] of NAMING) await knex.schema.alterTable(table, (made) => made.index(column));
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, column] of NAMING) await knex.schema.alterTable(table, (made) => made.dropIndex(column));
}
