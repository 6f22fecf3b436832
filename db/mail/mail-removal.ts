import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The tables of what a message consists of, and their columns that refer to blobs. */
const HOLDING_BLOBS = [
  ['mail_contents', 'original_sha256'],
  ['mail_attachments', 'sha256'],
] as const;

/**
 * Removes up to `limit` messages of a mailbox, or the one with this id; returns how many, and the blobs that
 * their attachments and their originals referenced.
 */
export async function removeMessages(
  db: Db,
  trx: Queryable,
  mailboxId: number,
  messageId: string | null,
  limit: number,
): Promise<{ removed: number; blobs: string[] }> {
  const only = messageId === null ? '' : ' AND message_id = ?';
  const removed = await query<{ id: number }>(
    trx,
    `UPDATE mail_messages SET removed_at = ?, size = 0, shown_size = NULL, unread = false, from_text = '', subject = '', sent_at = NULL, codes = '[]', tags = '[]'
     WHERE id IN (
       SELECT id FROM mail_messages WHERE mailbox_id = ?${only} AND removed_at IS NULL ORDER BY id LIMIT ?
     ) RETURNING id`,
    [Date.now(), mailboxId, ...(messageId === null ? [] : [messageId]), limit],
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
