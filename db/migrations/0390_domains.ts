import type { Knex } from 'knex';

/** The hosts of accounts, on which their links are. The id of such a link begins with the number of its domain and a colon. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('domains', (table) => {
    table.increments('id');
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('host').notNullable();
    table.text('token').notNullable();
    table.text('state').notNullable();
    // What an administrator has decided; null for nothing yet.
    table.boolean('approved');
    table.text('proof');
    table.bigInteger('proven_at');
    table.bigInteger('checked_at');
    table.text('fallback_url');
    table.bigInteger('created_at').notNullable();
    table.unique(['owner_id', 'host'], { indexName: 'domains_owner' });
    table.index(['host', 'state'], 'domains_host');
  });
  // However many accounts prove a host at the same time, it is active for one.
  await knex.raw(`CREATE UNIQUE INDEX domains_active ON domains (host) WHERE state = 'active'`);
  await knex.raw(
    `CREATE INDEX domains_checked ON domains (checked_at) WHERE state IN ('active', 'waiting', 'paused')`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('domains');
}
