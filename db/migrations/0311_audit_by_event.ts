import type { Knex } from 'knex';

/** The audit log of one event, newest first, without reading all others. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('audit_log', (table) => table.index(['event', 'id']));
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.alterTable('audit_log', (table) => table.dropIndex(['event', 'id']));
}
