import { z } from 'zod';
import { sendingsOf } from '../../../db/mail/mail-sending.js';
import { noteAttempt } from '../../../db/mail/mail-sending-report.js';
import { pageFields, pageOf, toPage, windowOf } from '../../base/paging.js';
import { MailDeferred, MailRefused } from '../../base/ports/mail/mail.js';
import { iso } from '../../base/text/dates.js';
import type { AccountContext, Services } from '../../core/context.js';
import { answerOf } from './arrival/delivery-report.js';
import { addressInput } from './mailboxes.js';
import { plainMessageId } from './message-id.js';

const STATES = ['QUEUED', 'DELAYED', 'SENT', 'DELIVERED', 'FAILED'] as const;

/** A mail that an account has sent, and what became of it for each recipient. */
const sentRecord = z.object({
  messageId: z.string(),
  kind: z.enum(['WRITTEN', 'REPLY', 'FORWARD']),
  /** The mailbox that sent it; null for mails that no mailbox sends. */
  mailbox: z.string().nullable(),
  from: z.string(),
  subject: z.string(),
  sentAt: z.iso.datetime(),
  /** The Message-Id of the mail that it answers or sends on. */
  about: z.string().nullable(),
  recipients: z.array(
    z.object({
      address: z.string(),
      /** `SENT`: the next server has it. `DELAYED`: it is tried again for a day. */
      state: z.enum(STATES),
      /** What a server said about it. */
      answer: z.string().nullable(),
      changedAt: z.iso.datetime(),
      /** The Message-Id of the mail that reported it; null if it was said at once. */
      report: z.string().nullable(),
    }),
  ),
});
export type SentRecord = z.output<typeof sentRecord>;

/** Filters and page of sent mails. */
export const sentInput = z.object({
  ...pageFields(25, 100),
  /** Of this mailbox only. */
  email: addressInput.nullish(),
  /** Only those that answer or send on this mail, or that it reports about. */
  messageId: z.string().max(1000).transform(plainMessageId).nullish(),
  /** Only those that are in this state for a recipient. */
  state: z.enum(STATES).nullish(),
});
/** A page of sent mails. */
export const sentPage = pageOf(sentRecord);

/** The mails that the caller's account has sent in the last 30 days, newest first. */
export async function sentMails(
  { app, account }: Pick<AccountContext, 'app' | 'account'>,
  input: z.output<typeof sentInput>,
): Promise<z.output<typeof sentPage>> {
  const filter = {
    mailbox: input.email ?? null,
    about: input.messageId || null,
    state: input.state ?? null,
  };
  const list = await sendingsOf(app.db, account.id, filter, windowOf(input));
  return toPage(input, list, async (sending) => ({
    messageId: sending.messageId,
    kind: sending.kind,
    mailbox: sending.mailbox,
    from: sending.sender,
    subject: sending.subject,
    sentAt: iso(sending.sentAt),
    about: sending.about,
    recipients: sending.recipients.map(({ address, state, answer, changedAt, reportId }) => ({
      address,
      state,
      answer,
      changedAt: iso(changedAt),
      report: reportId,
    })),
  }));
}

/**
 * Sends a mail, and remembers what came of it if an account wants to know. `isLast`: it is not tried again. `send`
 * says whether there was still something to send. Throws what it throws.
 */
export async function sendNoted(
  { db }: Pick<Services, 'db'>,
  { sendingId, recipient }: { readonly sendingId?: number; readonly recipient?: string },
  isLast: boolean,
  send: () => Promise<boolean>,
): Promise<void> {
  const note = async (state: 'SENT' | 'DELAYED' | 'FAILED', answer: string | null): Promise<void> => {
    if (sendingId === undefined || recipient === undefined) return;
    await db.write((trx) =>
      noteAttempt(trx, sendingId, { address: recipient, state, answer, changedAt: Date.now() }),
    );
  };
  let wasSent: boolean;
  try {
    wasSent = await send();
  } catch (error) {
    const isFinal = isLast || error instanceof MailRefused;
    await note(isFinal ? 'FAILED' : 'DELAYED', saidBy(error));
    throw error;
  }
  await (wasSent
    ? note('SENT', null)
    : note('FAILED', 'It was removed, or its forwarding ended, before it was sent'));
}

/** What a server said. Other failures are of this server, and none of the sender's business. */
const saidBy = (error: unknown): string =>
  (error instanceof MailRefused || error instanceof MailDeferred ? answerOf(error.message) : null) ??
  'The mail server could not be reached';
