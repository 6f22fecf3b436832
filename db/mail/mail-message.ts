import type { Db } from '../engine/connect.js';
import { type Page, queryPage, type Window } from '../engine/paging.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** The stored parts of a mail, besides its attachments. `html` is sanitised. */
export interface MailContent {
  /** The envelope sender; empty for bounces. */
  readonly sender: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  /** Epoch milliseconds of the `Date` header; null if missing or invalid. */
  readonly date: number | null;
  readonly text: string;
  readonly html: string | null;
  /** Number of remote URLs in `html` that are not loaded. */
  readonly blocked: number;
  /** By name as received; a repeated header's values are joined with line feeds. */
  readonly headers: Readonly<Record<string, string>>;
}

/** An attachment; `sha256` is null if its bytes are not stored. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string | null;
}

/** A stored mail. */
export interface MailMessage {
  readonly id: number;
  readonly mailboxId: number;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly receivedAt: number;
  /** Bytes of text and attachments together. */
  readonly size: number;
  readonly content: MailContent;
}

interface Row {
  id: number;
  mailbox_id: number;
  message_id: string;
  received_at: number;
  size: number;
  content: string;
}

type SummaryRow = Pick<Row, 'message_id' | 'received_at'> & {
  from_text: string;
  subject: string;
  sent_at: number | null;
};

/** A message with its content; removed messages have none. */
const WHOLE = `SELECT m.id, m.mailbox_id, m.message_id, m.received_at, m.size, c.content
  FROM mail_messages m JOIN mail_contents c ON c.mail_id = m.id`;

const fromRow = (row: Row): MailMessage => ({
  id: row.id,
  mailboxId: row.mailbox_id,
  messageId: row.message_id,
  receivedAt: row.received_at,
  size: row.size,
  content: json(row.content),
});

/** Inserts a message; returns its row id, null if the mailbox has or had it already. */
export async function insertMessage(
  trx: Queryable,
  { mailboxId, messageId, receivedAt, size, content }: Omit<MailMessage, 'id'>,
): Promise<number | null> {
  const [row] = await query<{ id: number }>(
    trx,
    `INSERT INTO mail_messages (mailbox_id, message_id, received_at, size, from_text, subject, sent_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (mailbox_id, message_id) DO NOTHING RETURNING id`,
    [mailboxId, messageId, receivedAt, size, content.from, content.subject, content.date],
  );
  if (row === undefined) return null;
  await query(trx, 'INSERT INTO mail_contents (mail_id, content) VALUES (?, ?)', [
    row.id,
    JSON.stringify(content),
  ]);
  return row.id;
}

/** Adds the attachments of a message, in their order. */
export async function insertAttachments(
  trx: Queryable,
  mailId: number,
  attachments: readonly MailAttachment[],
): Promise<void> {
  for (const attachment of attachments) {
    await trx('mail_attachments').insert({
      mail_id: mailId,
      filename: attachment.filename,
      content_type: attachment.contentType,
      size: attachment.size,
      sha256: attachment.sha256,
    });
  }
}

/** The attachments of a message, in their order. */
export async function attachmentsOf(db: Queryable, mailId: number): Promise<MailAttachment[]> {
  const found = await db('mail_attachments').where('mail_id', mailId).orderBy('id');
  return found.map((row) => ({
    filename: row.filename,
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
  }));
}

/** The mailboxes among these that have or had a message with this id. */
export async function holdersOfMessage(
  db: Db,
  mailboxIds: readonly number[],
  messageId: string,
): Promise<ReadonlySet<number>> {
  const found = await query<{ mailbox_id: number }>(
    db.read,
    `SELECT mailbox_id FROM mail_messages WHERE message_id = ? AND ${db.dialect.inNumbers('mailbox_id')}`,
    [messageId, JSON.stringify(mailboxIds)],
  );
  return new Set(found.map((row) => row.mailbox_id));
}

/** Number and total size of the messages in a mailbox. */
export async function mailboxUsage(
  db: Queryable,
  mailboxId: number,
): Promise<{ messages: number; bytes: number }> {
  const [row] = await query<{ messages: number; bytes: number }>(
    db,
    `SELECT count(*) AS messages, coalesce(sum(size), 0) AS bytes FROM mail_messages
     WHERE mailbox_id = ? AND removed_at IS NULL`,
    [mailboxId],
  );
  return row ?? { messages: 0, bytes: 0 };
}

/** Row ids and sizes of a mailbox's messages except those with these Message-Ids, newest first, at most `limit`. */
export async function messagesBut(
  db: Db,
  mailboxId: number,
  known: readonly string[],
  limit: number,
): Promise<Pick<MailMessage, 'id' | 'size'>[]> {
  const found = await query<Pick<Row, 'id' | 'size'>>(
    db.read,
    `SELECT id, size FROM mail_messages WHERE mailbox_id = ? AND removed_at IS NULL
       AND NOT ${db.dialect.inStrings('message_id')} ORDER BY id DESC LIMIT ?`,
    [mailboxId, JSON.stringify(known), limit],
  );
  return found.map(({ id, size }) => ({ id, size }));
}

/** A message as a list shows it. */
export interface MailSummary
  extends Pick<MailMessage, 'messageId' | 'receivedAt'>,
    Pick<MailContent, 'from' | 'subject' | 'date'> {}

/** The messages of a mailbox without their texts, newest first. */
export const messageSummaries = (db: Db, mailboxId: number, window: Window): Promise<Page<MailSummary>> =>
  queryPage<SummaryRow, MailSummary>(
    db,
    {
      columns: 'message_id, received_at, from_text, subject, sent_at',
      from: 'mail_messages',
      where: [['mailbox_id = ? AND removed_at IS NULL', mailboxId]],
    },
    window,
    (row) => ({
      messageId: row.message_id,
      receivedAt: row.received_at,
      from: row.from_text,
      subject: row.subject,
      date: row.sent_at,
    }),
  );

/** The Message-Id of the newest message of a mailbox; null when it is empty. */
export async function newestMessageId(db: Queryable, mailboxId: number): Promise<string | null> {
  const [row] = await query<Pick<Row, 'message_id'>>(
    db,
    'SELECT message_id FROM mail_messages WHERE mailbox_id = ? AND removed_at IS NULL ORDER BY id DESC LIMIT 1',
    [mailboxId],
  );
  return row?.message_id ?? null;
}

/**
 * A message of a mailbox by its Message-Id, and the length of its content as stored; null if there is none or it was
 * removed.
 */
export async function messageIn(
  db: Queryable,
  mailboxId: number,
  messageId: string,
): Promise<{ readonly id: number; readonly length: number } | null> {
  const [row] = await query<{ id: number; length: number }>(
    db,
    `SELECT m.id, length(c.content) AS length FROM mail_messages m JOIN mail_contents c ON c.mail_id = m.id
     WHERE m.mailbox_id = ? AND m.message_id = ?`,
    [mailboxId, messageId],
  );
  return row ?? null;
}

/** A message by its row id; null once it is removed. */
export async function messageById(db: Queryable, id: number): Promise<MailMessage | null> {
  const [row] = await query<Row>(db, `${WHOLE} WHERE m.id = ?`, [id]);
  return row === undefined ? null : fromRow(row);
}

/**
 * Removes up to `limit` messages of a mailbox, or the one with this id; returns how many, and the blobs that
 * their attachments referenced.
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
    `UPDATE mail_messages SET removed_at = ?, size = 0, from_text = '', subject = '', sent_at = NULL WHERE id IN (
       SELECT id FROM mail_messages WHERE mailbox_id = ?${only} AND removed_at IS NULL ORDER BY id LIMIT ?
     ) RETURNING id`,
    [Date.now(), mailboxId, ...(messageId === null ? [] : [messageId]), limit],
  );
  const ids = JSON.stringify(removed.map((row) => row.id));
  await query(trx, `DELETE FROM mail_contents WHERE ${db.dialect.inNumbers('mail_id')}`, [ids]);
  const gone = await query<{ sha256: string | null }>(
    trx,
    `DELETE FROM mail_attachments WHERE ${db.dialect.inNumbers('mail_id')} RETURNING sha256`,
    [ids],
  );
  return { removed: removed.length, blobs: gone.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256])) };
}

/** Deletes the rows of messages that were removed before a moment. */
export async function deleteRemovedBefore(trx: Queryable, before: number): Promise<void> {
  await trx('mail_messages').where('removed_at', '<', before).delete();
}
