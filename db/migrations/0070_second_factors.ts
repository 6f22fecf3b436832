import type { Knex } from 'knex';

/** What an account shows besides its password to sign in. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('second_factors', (table) => {
    table.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    table.text('secret_cipher').notNullable();
    table.bigInteger('created_at').notNullable();
    // Until its holder has shown a code of it, nobody is asked for one.
    table.bigInteger('confirmed_at');
    // The span of 30 seconds whose code was used last.
    table.bigInteger('last_step').notNullable();
  });

  // Each is good for one login without the device.
  await knex.schema.createTable('recovery_codes', (table) => {
    table.integer('user_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('code_hash').notNullable();
    table.primary(['user_id', 'code_hash']);
  });
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['recovery_codes', 'second_factors']) await knex.schema.dropTable(table);
}
