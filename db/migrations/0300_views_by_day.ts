import type { Knex } from 'knex';

/**
 * Views of files and pastes by UTC day, as visits of links are counted in `visit_days` and `visit_countries`; and for
 * each item of every kind how often it was opened on a day, which an account looks up for all that it has.
 */
export async function up(knex: Knex): Promise<void> {
  const layout = knex.client.config.client === 'pg' ? '' : ' WITHOUT ROWID';
  await knex.raw(
    `CREATE TABLE view_days (
       kind text NOT NULL,
       item_id integer NOT NULL,
       day integer NOT NULL,
       browser text NOT NULL,
       system text NOT NULL,
       referrer_host text NOT NULL,
       bot boolean NOT NULL,
       views bigint NOT NULL,
       PRIMARY KEY (kind, item_id, day, browser, system, referrer_host, bot)
     )${layout}`,
  );
  await knex.raw(
    `CREATE TABLE view_countries (
       kind text NOT NULL,
       item_id integer NOT NULL,
       day integer NOT NULL,
       country text NOT NULL,
       views bigint NOT NULL,
       PRIMARY KEY (kind, item_id, day, country)
     )${layout}`,
  );
  await knex.raw(
    `CREATE TABLE hit_days (
       kind text NOT NULL,
       item_id integer NOT NULL,
       day integer NOT NULL,
       owner_id integer NOT NULL,
       people bigint NOT NULL,
       bots bigint NOT NULL,
       PRIMARY KEY (kind, item_id, day)
     )${layout}`,
  );
  await knex.raw(
    `INSERT INTO hit_days (kind, item_id, day, owner_id, people, bots)
     SELECT 'url', v.url_id, v.day, min(u.owner_id),
       sum(CASE WHEN v.bot THEN 0 ELSE v.visits END), sum(CASE WHEN v.bot THEN v.visits ELSE 0 END)
     FROM visit_days v JOIN short_urls u ON u.id = v.url_id GROUP BY v.url_id, v.day`,
  );
  await knex.raw('CREATE INDEX hit_days_owner ON hit_days (owner_id, day, kind, item_id, people, bots)');
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['hit_days', 'view_countries', 'view_days']) await knex.schema.dropTable(table);
}
