import type { Knex } from 'knex';

const REFERENCE = 'REFERENCES short_urls (id) ON DELETE CASCADE';

/** What the visits of links are kept in, as SQLite has it, with a link that is named by the given reference or by none. */
const LAYOUTS: Readonly<Record<string, (reference: string) => string>> = {
  url_visits: (reference) =>
    `(id integer PRIMARY KEY AUTOINCREMENT NOT NULL, url_id integer NOT NULL ${reference},
      visited_at bigint NOT NULL, user_agent text, ip_address text, referrer_host text,
      visits integer NOT NULL DEFAULT 1)`,
  visit_days: (reference) =>
    `(url_id integer NOT NULL ${reference}, day integer NOT NULL, browser text NOT NULL, system text NOT NULL,
      referrer_host text NOT NULL, bot boolean NOT NULL, visits bigint NOT NULL,
      PRIMARY KEY (url_id, day, browser, system, referrer_host)) WITHOUT ROWID`,
};

/** The names that PostgreSQL has for the references. */
const CONSTRAINTS: Readonly<Record<string, string>> = {
  url_visits: 'url_visits_url_id_foreign',
  visit_days: 'visit_days_url_id_fkey',
};

/**
 * Visits no longer go with the row of their link but in batches behind it, see docs/adr/0011. Deleted accounts are
 * looked for with everything that somebody owns, and are few.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [table, constraint] of Object.entries(CONSTRAINTS)) {
    if (isPostgres(knex)) await knex.raw(`ALTER TABLE ${table} DROP CONSTRAINT ${constraint}`);
    else await rebuild(knex, table, '');
  }
  await knex.raw("CREATE INDEX users_deleted ON users (id) WHERE role = 'DELETED'");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX users_deleted');
  for (const [table, constraint] of Object.entries(CONSTRAINTS)) {
    await knex.raw(`DELETE FROM ${table} WHERE url_id NOT IN (SELECT id FROM short_urls)`);
    if (isPostgres(knex))
      await knex.raw(`ALTER TABLE ${table} ADD CONSTRAINT ${constraint} FOREIGN KEY (url_id) ${REFERENCE}`);
    else await rebuild(knex, table, REFERENCE);
  }
}

const isPostgres = (knex: Knex): boolean => knex.client.config.client === 'pg';

/** SQLite changes what a column refers to only in a table that is built anew. */
async function rebuild(knex: Knex, table: string, reference: string): Promise<void> {
  await knex.raw(`CREATE TABLE ${table}_anew ${LAYOUTS[table]?.(reference)}`);
  await knex.raw(`INSERT INTO ${table}_anew SELECT * FROM ${table}`);
  await knex.raw(`DROP TABLE ${table}`);
  await knex.raw(`ALTER TABLE ${table}_anew RENAME TO ${table}`);
  if (table === 'url_visits')
    await knex.raw('CREATE INDEX url_visits_url_id_id_index ON url_visits (url_id, id)');
}
