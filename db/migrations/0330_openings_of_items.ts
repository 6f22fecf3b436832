import type { Knex } from 'knex';

const KINDS = { images: 'image', pastes: 'paste' } as const;

/** How often each file and paste was opened, as their lists show it and are sorted by it. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, kind] of Object.entries(KINDS)) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN opened bigint NOT NULL DEFAULT 0`);
    await knex.raw(
      `UPDATE ${table} SET opened = (SELECT sum(people + bots) FROM hit_days WHERE kind = '${kind}' AND item_id = ${table}.id)
       WHERE id IN (SELECT item_id FROM hit_days WHERE kind = '${kind}')`,
    );
  }
  await knex.raw('DROP INDEX images_viewed');
  await knex.raw(
    `CREATE INDEX images_viewed ON images (owner_id, (CASE WHEN max_views IS NULL THEN opened ELSE views END), created_at)
     WHERE trashed_at IS NULL`,
  );
  await knex.raw(
    'CREATE INDEX pastes_viewed ON pastes (owner_id, opened, created_at) WHERE trashed_at IS NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(KINDS)) await knex.raw(`DROP INDEX ${table}_viewed`);
  for (const table of Object.keys(KINDS)) await knex.raw(`ALTER TABLE ${table} DROP COLUMN opened`);
  await knex.raw(
    `CREATE INDEX images_viewed ON images (owner_id, views, created_at)
     WHERE max_views IS NOT NULL AND trashed_at IS NULL`,
  );
}
