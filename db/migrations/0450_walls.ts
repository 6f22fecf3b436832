import type { Knex } from 'knex';

/** Requests whose guests see what came in, and files that their senders may take back. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE upload_requests ADD COLUMN wall text NOT NULL DEFAULT 'none'");
  await knex.raw('ALTER TABLE upload_requests ADD COLUMN message text');
  await knex.raw('ALTER TABLE upload_requests ADD COLUMN ends_at bigint');
  await knex.raw('ALTER TABLE upload_request_files ADD COLUMN approved boolean');
  await knex.raw('ALTER TABLE upload_request_files ADD COLUMN receipt_hash text');
  await knex.raw(
    'CREATE UNIQUE INDEX upload_request_files_by_receipt ON upload_request_files (request_id, receipt_hash)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX upload_request_files_by_receipt');
  await knex.raw('ALTER TABLE upload_request_files DROP COLUMN receipt_hash');
  await knex.raw('ALTER TABLE upload_request_files DROP COLUMN approved');
  await knex.raw('ALTER TABLE upload_requests DROP COLUMN ends_at');
  await knex.raw('ALTER TABLE upload_requests DROP COLUMN message');
  await knex.raw('ALTER TABLE upload_requests DROP COLUMN wall');
}
