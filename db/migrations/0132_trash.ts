import type { Knex } from 'knex';

const ITEMS = ['images', 'pastes', 'short_urls'];

/** Since when an item is in the trash of its owner; 0 once nobody can take it out again. */
export async function up(knex: Knex): Promise<void> {
  for (const table of ITEMS) {
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN trashed_at bigint`);
    await knex.raw(
      `CREATE INDEX ${table}_trash ON ${table} (owner_id, trashed_at) WHERE trashed_at IS NOT NULL`,
    );
    await knex.raw(`CREATE INDEX ${table}_trashed ON ${table} (trashed_at) WHERE trashed_at IS NOT NULL`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ITEMS) {
    await knex.raw(`DROP INDEX ${table}_trashed`);
    await knex.raw(`DROP INDEX ${table}_trash`);
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN trashed_at`);
  }
}
