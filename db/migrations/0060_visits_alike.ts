import type { Knex } from 'knex';

/** One row of the log may stand for several visits at one moment of which nothing differs. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('url_visits', (table) => {
    table.integer('visits').notNullable().defaultTo(1);
  });
}

export async function down(knex: Knex): Promise<void> {
  const shared = await knex('url_visits').where('visits', '>', 1).min('id as first').first();
  const newest = await knex('url_visits').max('id as last').first();
  if (shared?.first) await giveRows(knex, [shared.first, newest?.last]);
  await knex.raw('ALTER TABLE url_visits DROP COLUMN visits');
}

/** Gives each visit of these rows one of its own. All are made anew: the order of the log is that of their numbers. */
async function giveRows(knex: Knex, span: [first: number, last: number]): Promise<void> {
  const columns = 'url_id, visited_at, user_agent, ip_address, referrer_host';
  await knex.raw(
    `INSERT INTO url_visits (${columns})
     WITH RECURSIVE copies (id, left_over) AS (
       SELECT id, visits FROM url_visits WHERE id BETWEEN ? AND ?
       UNION ALL SELECT id, left_over - 1 FROM copies WHERE left_over > 1
     )
     SELECT ${columns} FROM copies JOIN url_visits USING (id) ORDER BY id`,
    span,
  );
  await knex('url_visits').whereBetween('id', span).delete();
}
