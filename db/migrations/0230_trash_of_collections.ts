import type { Knex } from 'knex';

/** Since when a collection is in the trash of its owner; 0 once nobody can take it out again. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE collections ADD COLUMN trashed_at bigint');
  await knex.raw(
    'CREATE INDEX collections_trash ON collections (owner_id, trashed_at) WHERE trashed_at IS NOT NULL',
  );
  await knex.raw('CREATE INDEX collections_trashed ON collections (trashed_at) WHERE trashed_at IS NOT NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX collections_trashed');
  await knex.raw('DROP INDEX collections_trash');
  await knex.raw('ALTER TABLE collections DROP COLUMN trashed_at');
}
