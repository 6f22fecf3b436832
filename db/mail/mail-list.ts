import type { Db } from '../engine/connect.js';
import { type Condition, listPage, type Page, type SearchMatches, type Window } from '../engine/paging.js';
import { json, query } from '../engine/query.js';
import type { MailContent, MailMessage } from './mail-message.js';

/** A message as a list shows it. */
interface MailSummary
  extends Pick<MailMessage, 'messageId' | 'receivedAt' | 'codes' | 'tags' | 'unread'>,
    Pick<MailContent, 'from' | 'subject' | 'date'> {
  /** How its text begins; "" for a mail from before that was kept. */
  readonly beginning: string;
}

interface Row {
  message_id: string;
  received_at: number;
  from_text: string;
  subject: string;
  sent_at: number | null;
  codes: string;
  tags: string;
  unread: boolean | number;
  beginning: string;
}

/** Which messages of a mailbox are wanted; null = any. */
interface MailFilter {
  /** In the subject, the sender or the text. */
  readonly matches: SearchMatches | null;
  /** Part of the sender. */
  readonly from: SearchMatches | null;
  readonly unread: boolean | null;
}

/** The messages of a mailbox without their texts, newest first. */
export function messageSummaries(
  db: Db,
  mailboxId: number,
  { matches, from, unread }: MailFilter,
  window: Window,
): Promise<Page<MailSummary>> {
  const text = db.dialect.fieldOf('c.content', 'text');
  const where: Condition[] = [
    ['m.mailbox_id = ? AND m.removed_at IS NULL', mailboxId],
    unread === null ? null : ['m.unread = ?', unread],
    from === null ? null : containing(db, ['m.from_text'], from),
    matches === null ? null : containing(db, ['m.subject', 'm.from_text', text], matches),
  ];
  return listPage<Row, MailSummary>(
    db,
    {
      columns:
        'm.message_id, m.received_at, m.from_text, m.subject, m.sent_at, m.codes, m.tags, m.unread, m.beginning',
      from: `mail_messages m${matches === null ? '' : ' JOIN mail_contents c ON c.mail_id = m.id'}`,
      where,
      order: 'm.id DESC',
    },
    window,
    (row) => ({
      messageId: row.message_id,
      receivedAt: row.received_at,
      from: row.from_text,
      subject: row.subject,
      date: row.sent_at,
      codes: json(row.codes),
      tags: json(row.tags),
      unread: Boolean(row.unread),
      beginning: row.beginning,
    }),
    matches ?? from,
  );
}

/** How many messages nobody has opened, by the row id of their mailbox; those with none are missing. */
export async function unreadIn(db: Db, mailboxIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await query<{ mailbox_id: number; n: number }>(
    db.read,
    `SELECT mailbox_id, count(*) AS n FROM mail_messages WHERE unread AND ${db.dialect.inNumbers('mailbox_id')}
     GROUP BY mailbox_id`,
    [JSON.stringify(mailboxIds)],
  );
  return new Map(rows.map(({ mailbox_id, n }) => [mailbox_id, Number(n)]));
}

/** What a mail that is waited for looks like; texts are contained, null = any. */
interface AwaitedMail {
  readonly subject: string | null;
  readonly from: string | null;
  /** In one of its recipients. */
  readonly to: string | null;
  /** Arrived after this moment. */
  readonly after: number | null;
}

/** The Message-Id of the oldest message of a mailbox that fits, among those with these ids (null: among all); null if none. */
export async function oldestAwaited(
  db: Db,
  mailboxId: number,
  { subject, from, to, after }: AwaitedMail,
  among: readonly number[] | null,
): Promise<string | null> {
  const { dialect } = db;
  const recipients = ['to', 'cc', 'deliveredTo'].map((field) => dialect.fieldOf('c.content', field));
  const where: Condition[] = [
    ['m.mailbox_id = ? AND m.removed_at IS NULL', mailboxId],
    among === null ? null : [dialect.inNumbers('m.id'), JSON.stringify(among)],
    after === null ? null : ['m.received_at > ?', after],
    subject === null ? null : containing(db, ['m.subject'], { text: subject }),
    from === null ? null : containing(db, ['m.from_text'], { text: from }),
    to === null ? null : containing(db, recipients, { text: to }),
  ];
  const held = where.filter((condition) => condition !== null);
  const [row] = await query<Pick<Row, 'message_id'>>(
    db.read,
    `SELECT m.message_id FROM mail_messages m ${to === null ? '' : 'JOIN mail_contents c ON c.mail_id = m.id'}
     WHERE ${held.map(([sql]) => sql).join(' AND ')} ORDER BY m.id LIMIT 1`,
    held.flatMap(([, ...values]) => values),
  );
  return row?.message_id ?? null;
}

/** One of these expressions contains the text. */
function containing(
  { dialect }: Db,
  expressions: readonly string[],
  { text }: Pick<SearchMatches, 'text'>,
): Condition {
  const { test, pattern } = dialect.contains(text);
  const tests = expressions.map((expression) => `${expression} ${test}`);
  return [`(${tests.join(' OR ')})`, ...tests.map(() => pattern)];
}
