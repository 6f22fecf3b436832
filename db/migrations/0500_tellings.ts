import type { Knex } from 'knex';

const SUBJECTS = ['images', 'pastes', 'short_urls', 'collections', 'share_links', 'upload_requests'] as const;

/** Whether owners are told when something of theirs is opened, and what they have not been told yet. */
export async function up(knex: Knex): Promise<void> {
  for (const table of SUBJECTS)
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN telling text NOT NULL DEFAULT 'none'`);
  await knex.raw("UPDATE upload_requests SET telling = 'each' WHERE notify");
  for (const table of SUBJECTS) {
    const column = table === 'share_links' ? 'id' : 'owner_id';
    await knex.raw(`CREATE INDEX ${table}_telling ON ${table} (${column}) WHERE telling <> 'none'`);
  }
  await knex.schema.createTable('tellings', (table) => {
    table.text('kind').notNullable();
    table.integer('subject_id').notNullable();
    table.text('channel').notNullable();
    table.integer('owner_id').notNullable().references('users.id').onDelete('CASCADE').index();
    table.text('mode').notNullable();
    // How often it happened since the last message, and when the next one is due.
    table.bigInteger('times').notNullable();
    table.bigInteger('due_at');
    table.bigInteger('told_at');
    table.primary(['kind', 'subject_id', 'channel']);
  });
  await knex.raw(
    `INSERT INTO tellings (kind, subject_id, channel, owner_id, mode, times, due_at, told_at)
     SELECT 'request', id, 'mail', owner_id, 'each', (SELECT count(*) FROM upload_request_files f
       WHERE f.request_id = upload_requests.id AND f.received_at > coalesce(notified_at, 0)), notice_at, notified_at
     FROM upload_requests WHERE notice_at IS NOT NULL`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.schema.dropTable('tellings');
  for (const table of SUBJECTS) {
    await knex.raw(`DROP INDEX ${table}_telling`);
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN telling`);
  }
}
