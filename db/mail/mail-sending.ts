import type { Db } from '../engine/connect.js';
import { type Condition, ifGiven, type Page, queryPage, type Window } from '../engine/paging.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Why a mail is sent: an account wrote it, it answers one, or it sends one on. */
type SendingKind = 'WRITTEN' | 'REPLY' | 'FORWARD';

/**
 * What became of a mail for one recipient. `SENT` means that the next server has taken it; only a report can say that it
 * was `DELIVERED`, or that it `FAILED` after all.
 */
export type RecipientState = 'QUEUED' | 'DELAYED' | 'SENT' | 'DELIVERED' | 'FAILED';

/** A recipient of a mail. */
export interface SendingRecipient {
  readonly address: string;
  readonly state: RecipientState;
  /** What its server said; null if it said nothing. */
  readonly answer: string | null;
  readonly changedAt: number;
  /** The Message-Id of the mail that reported it; null if the answer came at once. */
  readonly reportId: string | null;
}

/** A mail that an account sends. */
export interface Sending {
  readonly id: number;
  readonly accountId: number;
  /** Null if no mailbox sends it. */
  readonly mailboxId: number | null;
  /** The address of that mailbox. */
  readonly mailbox: string | null;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly kind: SendingKind;
  /** The Message-Id of the mail that it answers or sends on. */
  readonly about: string | null;
  /** The address in its envelope, in lower case: reports about it come there. */
  readonly sender: string;
  readonly subject: string;
  readonly sentAt: number;
}

interface Row {
  id: number;
  account_id: number;
  mailbox_id: number | null;
  mailbox: string | null;
  message_id: string;
  kind: SendingKind;
  about: string | null;
  sender: string;
  subject: string;
  sent_at: number;
}

interface RecipientRow {
  sending_id: number;
  address: string;
  state: RecipientState;
  answer: string | null;
  changed_at: number;
  report_id: string | null;
}

const fromRow = (row: Row): Sending => ({
  id: row.id,
  accountId: row.account_id,
  mailboxId: row.mailbox_id,
  mailbox: row.mailbox,
  messageId: row.message_id,
  kind: row.kind,
  about: row.about,
  sender: row.sender,
  subject: row.subject,
  sentAt: row.sent_at,
});

const recipientOf = (row: RecipientRow): SendingRecipient => ({
  address: row.address,
  state: row.state,
  answer: row.answer,
  changedAt: row.changed_at,
  reportId: row.report_id,
});

/** Stores a mail that is queued for these recipients; returns its row id. */
export async function insertSending(
  trx: Queryable,
  sending: Omit<Sending, 'id' | 'mailbox'>,
  recipients: readonly string[],
): Promise<number> {
  const [row] = await trx('mail_sendings')
    .insert({
      account_id: sending.accountId,
      mailbox_id: sending.mailboxId,
      message_id: sending.messageId,
      kind: sending.kind,
      about: sending.about,
      sender: sending.sender,
      subject: sending.subject,
      sent_at: sending.sentAt,
    })
    .returning('id');
  await trx('mail_recipients').insert(
    recipients.map((address) => ({
      sending_id: row.id,
      address,
      state: 'QUEUED',
      changed_at: sending.sentAt,
    })),
  );
  return row.id;
}

/** Whether this address (lower case) has sent a mail that is still remembered. */
export async function hasSent(db: Queryable, sender: string): Promise<boolean> {
  return (await db('mail_sendings').where('sender', sender).first('id')) !== undefined;
}

/** Which mails of an account are wanted; null = any. */
interface SendingFilter {
  /** The address of the mailbox that sent them. */
  readonly mailbox: string | null;
  /** The Message-Id of a mail that they answer or send on, or that reports about them. */
  readonly about: string | null;
  /** For at least one recipient. */
  readonly state: RecipientState | null;
}

/** The mails that an account has sent, newest first, with their recipients. */
export async function sendingsOf(
  db: Db,
  accountId: number,
  { mailbox, about, state }: SendingFilter,
  window: Window,
): Promise<Page<Sending & { readonly recipients: readonly SendingRecipient[] }>> {
  const where: Condition[] = [
    ['s.account_id = ?', accountId],
    ifGiven(mailbox, 'b.address = ?'),
    about === null
      ? null
      : [
          `s.id IN (SELECT id FROM mail_sendings WHERE about = ?
             UNION SELECT sending_id FROM mail_recipients WHERE report_id = ?)`,
          about,
          about,
        ],
    ifGiven(state, 'EXISTS (SELECT 1 FROM mail_recipients r WHERE r.sending_id = s.id AND r.state = ?)'),
  ];
  const page = await queryPage<Row, Sending>(
    db,
    {
      columns: 's.*, b.address AS mailbox',
      from: 'mail_sendings s LEFT JOIN mailboxes b ON b.id = s.mailbox_id',
      where,
      order: 's.id DESC',
    },
    window,
    fromRow,
  );
  const rows = await query<RecipientRow>(
    db.read,
    `SELECT * FROM mail_recipients WHERE ${db.dialect.inNumbers('sending_id')} ORDER BY address`,
    [JSON.stringify(page.items.map(({ id }) => id))],
  );
  const recipientsOf = (id: number) => rows.filter((row) => row.sending_id === id).map(recipientOf);
  return {
    total: page.total,
    items: page.items.map((sending) => ({ ...sending, recipients: recipientsOf(sending.id) })),
  };
}

type ForgottenSendings =
  | { readonly before: number }
  | { readonly mailboxId: number }
  | { readonly accountId: number };

/** Forgets up to `limit` of these mails; returns how many. Mails that are still queued are sent all the same. */
export async function forgetSendings(
  trx: Queryable,
  which: ForgottenSendings,
  limit: number,
): Promise<number> {
  const chosen = trx('mail_sendings').select('id').orderBy('id').limit(limit);
  if ('before' in which) chosen.where('sent_at', '<', which.before);
  else if ('mailboxId' in which) chosen.where('mailbox_id', which.mailboxId);
  else chosen.where('account_id', which.accountId);
  return trx('mail_sendings').whereIn('id', chosen).delete();
}
