import type { Knex } from 'knex';

/** One row of the log may stand for several visits at one moment of which nothing differs. */
export async function up(knex: Knex): Promise<void> {
  await knex.schema.alterTable('url_visits', (table) => {
    table.integer('visits').notNullable().defaultTo(1);
  });
}

export async function down(knex: Knex): Promise<void> {
  const columns = 'url_id, visited_at, user_agent, ip_address, referrer_host';
  await knex.raw(
    `INSERT INTO url_visits (${columns})
     WITH RECURSIVE copies (id, left_over) AS (
       SELECT id, visits - 1 FROM url_visits WHERE visits > 1
       UNION ALL SELECT id, left_over - 1 FROM copies WHERE left_over > 1
     )
     SELECT ${columns} FROM copies JOIN url_visits USING (id)`,
  );
  await knex.raw('ALTER TABLE url_visits DROP COLUMN visits');
}
