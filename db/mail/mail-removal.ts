import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The tables of what a message consists of, and their columns that refer to blobs. */
const HOLDING_BLOBS = [
  ['mail_contents', 'original_sha256'],
  ['mail_attachments', 'sha256'],
] as const;

/**
 * Removes up to `limit` messages of a mailbox, of those with this Message-Id or these row ids if any are given; returns
 * how many, and the blobs that their attachments and their originals referenced.
 */
export async function removeMessages(
  db: Db,
  trx: Queryable,
  mailboxId: number,
  only: string | readonly number[] | null,
  limit: number,
): Promise<{ removed: number; blobs: string[] }> {
  const test =
    only === null ? '' : ` AND ${typeof only === 'string' ? 'message_id = ?' : db.dialect.inNumbers('id')}`;
  const values = only === null ? [] : [typeof only === 'string' ? only : JSON.stringify(only)];
  const removed = await query<{ id: number }>(
    trx,
    `UPDATE mail_messages SET removed_at = ?, size = 0, shown_size = NULL, unread = false, from_text = '', subject = '', beginning = '', sent_at = NULL, codes = '[]', tags = '[]'
     WHERE id IN (
       SELECT id FROM mail_messages WHERE mailbox_id = ?${test} AND removed_at IS NULL ORDER BY id LIMIT ?
     ) RETURNING id`,
    [Date.now(), mailboxId, ...values, limit],
  );
  const ids = JSON.stringify(removed.map((row) => row.id));
  const gone = [];
  for (const [table, column] of HOLDING_BLOBS) {
    gone.push(
      ...(await query<{ sha256: string | null }>(
        trx,
        `DELETE FROM ${table} WHERE ${db.dialect.inNumbers('mail_id')} RETURNING ${column} AS sha256`,
        [ids],
      )),
    );
  }
  return { removed: removed.length, blobs: gone.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256])) };
}

/** Deletes the rows of messages that were removed before a moment. */
export async function deleteRemovedBefore(trx: Queryable, before: number): Promise<void> {
  await trx('mail_messages').where('removed_at', '<', before).delete();
}
