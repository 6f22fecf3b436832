import type { Knex } from 'knex';

/**
 * Roll-ups by UTC day (days since the epoch), kept in the transactions that make and delete what they count.
 * `format` is the stored format of an image and "" for other kinds; unknown parts of a visit are "".
 */
export async function up(knex: Knex): Promise<void> {
  // SQLite then keeps one tree, in the order in which the reports add up.
  const layout = knex.client.config.client === 'pg' ? '' : ' WITHOUT ROWID';
  await knex.raw(
    `CREATE TABLE content_days (
       kind text NOT NULL,
       day integer NOT NULL,
       owner_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
       format text NOT NULL,
       items bigint NOT NULL,
       bytes bigint NOT NULL,
       PRIMARY KEY (kind, format, day, owner_id)
     )${layout}`,
  );
  await knex.raw('CREATE INDEX content_days_owner ON content_days (owner_id, kind, day, items, bytes)');
  for (const [kind, name, format, bytes] of [
    ['image', 'images', 'type', 'size'],
    ['paste', 'pastes', "''", 'size'],
    ['url', 'short_urls', "''", '0'],
  ]) {
    await knex.raw(
      `INSERT INTO content_days (kind, day, owner_id, format, items, bytes)
       SELECT '${kind}', created_at / 86400000, owner_id, ${format}, count(*), sum(${bytes})
       FROM ${name} GROUP BY 2, 3, 4`,
    );
  }
  // The largest and the smallest image of a day, at one look each.
  await knex.raw('CREATE INDEX images_day_size ON images ((created_at / 86400000), size)');

  await knex.raw(
    `CREATE TABLE visit_days (
       url_id integer NOT NULL REFERENCES short_urls (id) ON DELETE CASCADE,
       day integer NOT NULL,
       browser text NOT NULL,
       system text NOT NULL,
       referrer_host text NOT NULL,
       bot boolean NOT NULL,
       visits bigint NOT NULL,
       PRIMARY KEY (url_id, day, browser, system, referrer_host)
     )${layout}`,
  );
  await knex.raw(
    `INSERT INTO visit_days (url_id, day, browser, system, referrer_host, bot, visits)
     SELECT url_id, visited_at / 86400000, '', '', coalesce(referrer_host, ''), 1 = 0, count(*)
     FROM url_visits GROUP BY 1, 2, 5`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('visit_days');
  await knex.raw('DROP INDEX images_day_size');
  await knex.schema.dropTable('content_days');
}
