import { DomainError } from '../../../base/errors.js';
import type { InboundMail } from '../../../base/ports/mail/mail.js';
import { isProviderError } from '../../../base/ports/provider.js';
import type { Services } from '../../../core/context.js';
import { hashSecret } from '../../../core/secrets.js';
import { type Arrival, takeArrival } from './arrival.js';
import { useToken } from './token.js';

/**
 * Whether a mail that failed may wait in the queue: what is missing can be had later, and all its files stay with the
 * provider meanwhile. A job has no room for those of a whole message.
 */
export function canWait({ mail, original = null }: Arrival, error: unknown): boolean {
  const { attachments, unlisted = [] } = mail;
  const isKept = attachments.length > 0 && attachments.every(({ content }) => content.kind === 'stored');
  return (
    isKept && unlisted.length === 0 && original === null && (isProviderError(error) || isUnreachable(error))
  );
}

const isUnreachable = (error: unknown): boolean =>
  error instanceof DomainError && error.reason === 'UNAVAILABLE';

/** Queues a mail for later and uses up its token; from `partialAfter` on it comes without what is still missing. */
export async function queueArrival(app: Services, arrival: Arrival, partialAfter: number): Promise<void> {
  const { mail } = arrival;
  await app.db.write(async (trx) => {
    await useToken(trx, arrival);
    const uniqueKey = `mail:${hashSecret([mail.messageId, ...mail.recipients].join('\n'))}`;
    await app.jobs.add(trx, 'mailArrival', { mail, partialAfter }, { uniqueKey });
  });
  app.jobs.kick();
}

/** Runs what `queueArrival` queued: throws until the attachments are available or the deadline has passed. */
export const takeQueuedArrival = (
  app: Services,
  { mail, partialAfter }: { mail: InboundMail; partialAfter: number },
): Promise<void> => takeArrival(app, { mail, partial: Date.now() >= partialAfter }).then(() => undefined);
