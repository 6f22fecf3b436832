import type { Db } from '../engine/connect.js';
import { query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';
import type { RecipientState, SendingRecipient } from './mail-sending.js';

/** Stores what came of an attempt to send; what a report has said meanwhile stays. */
export async function noteAttempt(
  trx: Queryable,
  sendingId: number,
  { address, state, answer, changedAt }: Omit<SendingRecipient, 'reportId'>,
): Promise<void> {
  await trx('mail_recipients')
    .where({ sending_id: sendingId, address })
    .whereIn('state', ['QUEUED', 'DELAYED'])
    .whereNull('report_id')
    .update({ state, answer, changed_at: changedAt });
}

/** The states that a report may change to each: what failed has failed, and what is there is not late. */
const BEFORE: Readonly<Partial<Record<RecipientState, readonly RecipientState[]>>> = {
  FAILED: ['QUEUED', 'DELAYED', 'SENT', 'DELIVERED'],
  DELIVERED: ['QUEUED', 'DELAYED', 'SENT'],
  DELAYED: ['QUEUED', 'DELAYED', 'SENT'],
};

/** Stores what a report says about a recipient. */
export async function noteReport(
  trx: Queryable,
  sendingId: number,
  { address, state, answer, changedAt, reportId }: SendingRecipient,
): Promise<void> {
  await trx('mail_recipients')
    .where({ sending_id: sendingId, address })
    .whereIn('state', BEFORE[state] ?? [])
    .update({ state, answer, changed_at: changedAt, report_id: reportId });
}

/** A mail that a report may be about, and its recipients. */
export interface ReportedSending {
  readonly id: number;
  readonly messageId: string;
  readonly recipients: readonly string[];
}

/** The mails with these Message-Ids that one of these addresses has sent. */
export async function sendingsNamed(
  db: Db,
  trx: Queryable,
  messageIds: readonly string[],
  senders: readonly string[],
): Promise<ReportedSending[]> {
  const found = await query<{ id: number; message_id: string; address: string }>(
    trx,
    `SELECT s.id, s.message_id, r.address FROM mail_sendings s JOIN mail_recipients r ON r.sending_id = s.id
       WHERE ${db.dialect.inStrings('s.message_id')} AND ${db.dialect.inStrings('s.sender')} ORDER BY s.id`,
    [JSON.stringify(messageIds), JSON.stringify(senders)],
  );
  const sendings = new Map<number, { id: number; messageId: string; recipients: string[] }>();
  for (const { id, message_id: messageId, address } of found) {
    const known = sendings.get(id);
    if (known === undefined) sendings.set(id, { id, messageId, recipients: [address] });
    else known.recipients.push(address);
  }
  return [...sendings.values()];
}
