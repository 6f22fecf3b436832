import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../db/engine/queryable.js';
import { insertSending, type Sending } from '../../../db/mail/mail-sending.js';
import type { JobPayloads } from '../../base/ports/jobs.js';
import type { OutgoingMail } from '../../base/ports/mail/mail.js';
import type { Services } from '../context.js';
import { requireOutgoing } from '../outgoing.js';
import { envelopeIdOf, MARK_HEADER, markOf } from './mark.js';

type Queueing = Pick<Services, 'jobs' | 'settings' | 'secrets'>;
type Queued = Omit<OutgoingMail, 'to' | 'messageId' | 'sentAt' | 'sendingId'> & { readonly to: string };

/** Who sends a mail, and why: what became of it is remembered for them. */
export type SentBy = Pick<Sending, 'accountId' | 'mailboxId' | 'kind' | 'about' | 'sender'>;

/** What makes a mail the same whenever it is sent: a Message-Id without angle brackets, and the time of its Date. */
export const newIdentity = ({ settings }: Pick<Services, 'settings'>) => ({
  messageId: `${randomUUID()}@${settings.mailDomain}`,
  sentAt: Date.now(),
});

/**
 * Queues a mail in the transaction that causes it: one job for each recipient, so that each is retried by what its own
 * server answers. All of them, and every attempt, carry the same Message-Id and Date, by which a recipient recognises
 * what it has already got.
 */
export async function queueMail(app: Queueing, trx: Queryable, mail: Queued): Promise<void> {
  if (app.settings.demo) return;
  await addJobs(app, trx, { ...mail, ...newIdentity(app) }, [mail.to]);
}

/** As `queueMail`, for a mail that somebody asks for and waits for: 409 in a demo, where others are left out. */
export async function queueAsked(app: Queueing, trx: Queryable, mail: Queued): Promise<void> {
  requireOutgoing(app);
  await queueMail(app, trx, mail);
}

/** As `queueAsked`, for a mail that an account sends. Returns its Message-Id. */
export async function queueSending(
  app: Queueing,
  trx: Queryable,
  mail: Queued,
  recipients: readonly string[],
  sentBy: SentBy,
): Promise<string> {
  requireOutgoing(app);
  const identity = newIdentity(app);
  const sending = { ...sentBy, ...identity, subject: mail.subject };
  const sendingId = await insertSending(trx, sending, recipients);
  await addJobs(app, trx, { ...mail, ...identity, sendingId }, recipients);
  return identity.messageId;
}

async function addJobs(
  app: Queueing,
  trx: Queryable,
  mail: JobPayloads['mail'],
  recipients: readonly string[],
): Promise<void> {
  for (const recipient of recipients) {
    const isOnly = recipients.length === 1 || mail.sendingId === undefined;
    const marked = isOnly ? {} : markedFor(mail, markOf(app, mail.messageId, recipient));
    await app.jobs.add(trx, 'mail', { ...mail, ...marked, recipient });
  }
}

/** What only one copy of a mail has. */
const markedFor = ({ headers, messageId }: JobPayloads['mail'], mark: string) => ({
  headers: { ...headers, [MARK_HEADER]: mark },
  envelopeId: envelopeIdOf(messageId, mark),
});
