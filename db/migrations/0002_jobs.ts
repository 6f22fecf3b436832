import type { Knex } from 'knex';

/** Work that goes on behind requests and survives a restart. `payload` is encrypted. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('jobs', (table) => {
    table.bigIncrements('id');
    table.text('kind').notNullable();
    table.text('payload').notNullable();
    // Of several jobs with one key only the first is kept while it waits.
    table.text('unique_key').unique();
    table.bigInteger('created_at').notNullable();
    table.bigInteger('run_at').notNullable();
    table.integer('attempts').notNullable().defaultTo(0);
    table.bigInteger('locked_until');
    table.text('last_error');
    // Set once a job is given up; it stays for people to see.
    table.bigInteger('failed_at');
  });
  await knex.raw('CREATE INDEX jobs_due ON jobs (run_at) WHERE failed_at IS NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('jobs');
}
