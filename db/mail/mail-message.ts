import type { Db } from '../engine/connect.js';
import { json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { MailOriginal } from './mail-attachment.js';

/** The stored parts of a mail, besides its attachments. `html` is sanitised. */
export interface MailContent {
  /** The envelope sender; empty for bounces. */
  readonly sender: string;
  /** The recipient that brought it into this mailbox, if that is not its address; null otherwise. */
  readonly deliveredTo: string | null;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  /** Epoch milliseconds of the `Date` header; null if missing or invalid. */
  readonly date: number | null;
  readonly text: string;
  readonly html: string | null;
  /** Number of remote URLs in `html` that are not loaded. */
  readonly blocked: number;
  /** By name as received; a repeated header's values are joined with line feeds. */
  readonly headers: Readonly<Record<string, string>>;
  /** What was found out about the sender; null if nobody asked. */
  readonly authentication: MailAuthentication | null;
  /** Something that came is neither here nor among the attachments; only the original has it. */
  readonly truncated: boolean;
}

/** Results of RFC 8601: `pass`, `fail`, `none` … */
export interface MailAuthentication {
  readonly spf: string;
  readonly dkim: string;
  readonly dmarc: string;
}

/** A stored mail. */
export interface MailMessage {
  readonly id: number;
  readonly mailboxId: number;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly receivedAt: number;
  /** Bytes of text and attachments together, as answers have them. The mailbox counts the original too. */
  readonly size: number;
  readonly unread: boolean;
  /** One-time codes, the likeliest first. */
  readonly codes: readonly string[];
  /** What rules have given it. */
  readonly tags: readonly string[];
  readonly content: MailContent;
  /** Null for mails that came before originals were kept. */
  readonly original: MailOriginal | null;
}

interface Row {
  id: number;
  mailbox_id: number;
  message_id: string;
  received_at: number;
  size: number;
  unread: boolean | number;
  codes: string;
  tags: string;
  content: string;
  original_sha256: string | null;
  original_size: number | null;
}

/** A message with its content; removed messages have none. */
const WHOLE = `SELECT m.id, m.mailbox_id, m.message_id, m.received_at,
  coalesce(m.shown_size, m.size) AS size, m.unread, m.codes, m.tags, c.content,
  c.original_sha256, c.original_size FROM mail_messages m JOIN mail_contents c ON c.mail_id = m.id`;

/** What is not known of mails that were stored before it was. */
const UNKNOWN = { deliveredTo: null, replyTo: [], authentication: null, truncated: false } as const;

const fromRow = (row: Row): MailMessage => ({
  id: row.id,
  mailboxId: row.mailbox_id,
  messageId: row.message_id,
  receivedAt: row.received_at,
  size: row.size,
  unread: Boolean(row.unread),
  codes: json(row.codes),
  tags: json(row.tags),
  content: { ...UNKNOWN, ...json<MailContent>(row.content) },
  original:
    row.original_sha256 === null ? null : { sha256: row.original_sha256, size: row.original_size ?? 0 },
});

/** Inserts a message; returns its row id, null if the mailbox has or had it already. */
export async function insertMessage(
  trx: Queryable,
  mail: Omit<MailMessage, 'id'> & {
    /** How its text begins, for lists. */
    readonly beginning: string;
  },
): Promise<number | null> {
  const { mailboxId, messageId, receivedAt, size, unread, codes, tags, content, original, beginning } = mail;
  const [row] = await query<{ id: number }>(
    trx,
    `INSERT INTO mail_messages (mailbox_id, message_id, received_at, size, shown_size, from_text,
       subject, sent_at, codes, tags, unread, beginning)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (mailbox_id, message_id) DO NOTHING RETURNING id`,
    [
      mailboxId,
      messageId,
      receivedAt,
      size + (original?.size ?? 0),
      size,
      content.from,
      content.subject,
      content.date,
      JSON.stringify(codes),
      JSON.stringify(tags),
      unread,
      beginning,
    ],
  );
  if (row === undefined) return null;
  await query(
    trx,
    'INSERT INTO mail_contents (mail_id, content, original_sha256, original_size) VALUES (?, ?, ?, ?)',
    [row.id, JSON.stringify(content), original?.sha256 ?? null, original?.size ?? null],
  );
  return row.id;
}

/** Remembers a message that is not kept, so that it does not come again; false if the mailbox has or had it already. */
export async function rememberMessage(
  trx: Queryable,
  { mailboxId, messageId, receivedAt }: Pick<MailMessage, 'mailboxId' | 'messageId' | 'receivedAt'>,
): Promise<boolean> {
  const added = await query(
    trx,
    `INSERT INTO mail_messages (mailbox_id, message_id, received_at, removed_at, size)
     VALUES (?, ?, ?, ?, 0) ON CONFLICT (mailbox_id, message_id) DO NOTHING RETURNING id`,
    [mailboxId, messageId, receivedAt, receivedAt],
  );
  return added.length > 0;
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
    `SELECT id, coalesce(shown_size, size) AS size FROM mail_messages WHERE mailbox_id = ? AND removed_at IS NULL
       AND NOT ${db.dialect.inStrings('message_id')} ORDER BY id DESC LIMIT ?`,
    [mailboxId, JSON.stringify(known), limit],
  );
  return found.map(({ id, size }) => ({ id, size }));
}

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
 * A message of a mailbox by its Message-Id, and the size of its content as stored, in bytes; null if there is none or
 * it was removed. The size is known without reading the content, which its length is not.
 */
export async function messageIn(
  db: Queryable,
  mailboxId: number,
  messageId: string,
): Promise<{ readonly id: number; readonly bytes: number } | null> {
  const [row] = await query<{ id: number; bytes: number }>(
    db,
    `SELECT m.id, octet_length(c.content) AS bytes FROM mail_messages m JOIN mail_contents c ON c.mail_id = m.id
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

/** Marks a message of a mailbox as read or unread; false if there is none with this Message-Id. */
export async function markMessage(
  trx: Queryable,
  mailboxId: number,
  messageId: string,
  unread: boolean,
): Promise<boolean> {
  const marked = await trx('mail_messages')
    .where({ mailbox_id: mailboxId, message_id: messageId })
    .whereNull('removed_at')
    .update({ unread });
  return marked > 0;
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
