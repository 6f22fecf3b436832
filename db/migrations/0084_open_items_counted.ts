import type { Knex } from 'knex';

/** What anybody may open who knows its address, as rows say it. */
const OPEN = 'is_public AND password_hash IS NULL';

const COUNTED = [
  ['image', 'images', 'type', 'size'],
  ['paste', 'pastes', "''", 'size'],
  ['url', 'short_urls', "''", '0'],
] as const;

/** The roll-ups count open items apart, so that statistics for everybody tell nothing of the others. */
export async function up(knex: Knex): Promise<void> {
  for (const column of ['open_items', 'open_bytes'])
    await knex.raw(`ALTER TABLE content_days ADD COLUMN ${column} bigint NOT NULL DEFAULT 0`);
  for (const [kind, table, format, bytes] of COUNTED) {
    await knex.raw(
      `UPDATE content_days SET open_items = found.items, open_bytes = found.bytes FROM (
         SELECT created_at / 86400000 AS day, owner_id, ${format} AS format, count(*) AS items, sum(${bytes}) AS bytes
         FROM ${table} WHERE ${OPEN} GROUP BY 1, 2, 3
       ) AS found
       WHERE content_days.kind = '${kind}' AND content_days.day = found.day
         AND content_days.owner_id = found.owner_id AND content_days.format = found.format`,
    );
  }
  await indexDays(knex, 'items, bytes, open_items');
  await indexSizes(knex, ` WHERE ${OPEN}`);
}

export async function down(knex: Knex): Promise<void> {
  await indexSizes(knex, '');
  await indexDays(knex, 'items, bytes');
  for (const column of ['open_items', 'open_bytes'])
    await knex.raw(`ALTER TABLE content_days DROP COLUMN ${column}`);
}

/** The days of an account, read from the index alone. */
async function indexDays(knex: Knex, sums: string): Promise<void> {
  await knex.raw('DROP INDEX content_days_owner');
  await knex.raw(`CREATE INDEX content_days_owner ON content_days (owner_id, kind, day, ${sums})`);
}

/** The largest and the smallest image of a day, at one look each. */
async function indexSizes(knex: Knex, which: string): Promise<void> {
  await knex.raw('DROP INDEX images_day_size');
  await knex.raw(`CREATE INDEX images_day_size ON images ((created_at / 86400000), size)${which}`);
}
