import type { Knex } from 'knex';

const KEY = 'url_id, day, browser, system, referrer_host';
const COLUMNS = `url_id integer NOT NULL, day integer NOT NULL, browser text NOT NULL, system text NOT NULL,
  referrer_host text NOT NULL, bot boolean NOT NULL, visits bigint NOT NULL`;

/** Bots and people who share every other trait are counted apart. */
export async function up(knex: Knex): Promise<void> {
  if (isPostgres(knex)) return changeKey(knex, `${KEY}, bot`);
  await rebuild(knex, `${KEY}, bot`, 'SELECT * FROM visit_days');
}

/** What was counted apart counts as people's where people were among them. */
export async function down(knex: Knex): Promise<void> {
  const together = `SELECT ${KEY}, ${isPostgres(knex) ? 'bool_and' : 'min'}(bot), sum(visits) FROM visit_days GROUP BY ${KEY}`;
  if (!isPostgres(knex)) return rebuild(knex, KEY, together);
  await knex.raw(`CREATE TEMPORARY TABLE together ON COMMIT DROP AS ${together}`);
  await knex.raw('DELETE FROM visit_days');
  await knex.raw('INSERT INTO visit_days SELECT * FROM together');
  await changeKey(knex, KEY);
}

const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';

async function changeKey(knex: Knex, key: string): Promise<void> {
  await knex.raw(`ALTER TABLE visit_days DROP CONSTRAINT visit_days_pkey, ADD PRIMARY KEY (${key})`);
}

/** SQLite has the key of a table that is built anew only. */
async function rebuild(knex: Knex, key: string, rows: string): Promise<void> {
  await knex.raw(`CREATE TABLE visit_days_anew (${COLUMNS}, PRIMARY KEY (${key})) WITHOUT ROWID`);
  await knex.raw(`INSERT INTO visit_days_anew ${rows}`);
  await knex.raw('DROP TABLE visit_days');
  await knex.raw('ALTER TABLE visit_days_anew RENAME TO visit_days');
}
