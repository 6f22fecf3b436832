import type { Knex } from 'knex';

/** Days since the epoch, and weeks from Monday: the first day of the epoch was a Thursday. */
const TODAY = Math.floor(Date.now() / 86_400_000);
const weekOf = (day: number): number => Math.floor((day + 3) / 7);
const MONDAY = weekOf(TODAY) * 7 - 3;

/**
 * What accounts may create and store, as JSON by role and by account; what each has created today and in this week,
 * which deleting does not give back; and pauses of accounts.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('role_limits', (table) => {
    table.text('role').primary();
    table.text('policy').notNullable();
  });
  await knex.schema.createTable('account_limits', (table) => {
    table.integer('user_id').primary().references('users.id').onDelete('CASCADE');
    table.text('policy').notNullable();
  });
  await knex.schema.createTable('limit_usage', (table) => {
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE');
    table.text('type').notNullable();
    table.integer('day').notNullable();
    table.integer('week').notNullable();
    for (const span of ['day', 'week'])
      for (const sum of ['items', 'bytes']) table.bigInteger(`${span}_${sum}`).notNullable();
    table.primary(['owner_id', 'type']);
  });
  await knex.raw('ALTER TABLE users ADD COLUMN paused_until bigint');
  await knex.raw('ALTER TABLE users ADD COLUMN paused_indefinitely boolean NOT NULL DEFAULT false');
  await countThisWeek(knex, "kind IN ('image', 'paste')", "'TOTAL'");
  for (const kind of ['image', 'paste', 'url'])
    await countThisWeek(knex, `kind = '${kind}'`, `'${kind.toUpperCase()}'`);
}

/** What exists of this week's items counts as created. */
async function countThisWeek(knex: Knex, which: string, type: string): Promise<void> {
  const today = (sum: string) => `sum(CASE WHEN day = ${TODAY} THEN ${sum} ELSE 0 END)`;
  await knex.raw(
    `INSERT INTO limit_usage (owner_id, type, day, week, day_items, day_bytes, week_items, week_bytes)
     SELECT owner_id, ${type}, ${TODAY}, ${weekOf(TODAY)}, ${today('items')}, ${today('bytes')}, sum(items), sum(bytes)
     FROM content_days WHERE day >= ${MONDAY} AND ${which} GROUP BY owner_id`,
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const column of ['paused_until', 'paused_indefinitely'])
    await knex.raw(`ALTER TABLE users DROP COLUMN ${column}`);
  for (const table of ['limit_usage', 'account_limits', 'role_limits']) await knex.schema.dropTable(table);
}
