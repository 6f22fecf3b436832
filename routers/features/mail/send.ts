import { z } from 'zod';
import { fail } from '../../base/errors.js';
import { localizableOfRule } from '../../base/language/rules.js';
import type { OutgoingMail } from '../../base/ports/mail/mail.js';
import { MailRefused } from '../../base/ports/mail/mail.js';
import type { AccountContext, Services } from '../../core/context.js';
import { queueSending, type SentBy } from '../../core/mail/outgoing.js';

const MAX_LENGTH = 5 * 1024 * 1024;

const address = z.string().trim().min(1).max(4096);

/** What a mail says: text, HTML, or both. */
export const writtenFields = {
  content: z.string().max(MAX_LENGTH).nullish(),
  html: z.string().max(MAX_LENGTH).nullish(),
};

/** A mail to be sent. */
export const sendInput = z
  .object({
    from: address.nullish(),
    to: z.union([address, z.array(address).min(1).max(50)]),
    subject: z.string().default(''),
    ...writtenFields,
  })
  .refine(({ content, html }) => (content ?? '') !== '' || (html ?? '') !== '', {
    message: 'send the text in "content" or "html"',
  });

/** The Message-Id of a mail that was queued, by which `sent` finds it; without angle brackets. */
export const queuedOutput = z.object({ messageId: z.string() });
type Queued = z.output<typeof queuedOutput>;

/**
 * Queues a mail; it is durable when this returns and is sent with retries. Refuses with 400 what no server
 * would accept: bad addresses, control characters in headers.
 */
export const sendMail = (
  { app, account }: Pick<AccountContext, 'app' | 'account'>,
  input: z.output<typeof sendInput>,
): Promise<Queued> =>
  sendWritten(app, input, { accountId: account.id, mailboxId: null, kind: 'WRITTEN', about: null });

/** A mail as its sender wrote it, and headers of ours. */
type Written = Pick<z.output<typeof sendInput>, 'from' | 'to' | 'subject' | 'content' | 'html'> &
  Pick<OutgoingMail, 'headers'>;

/** As `sendMail`, for whoever sends it; `admit` is asked once the mail is known to be sound. */
export async function sendWritten(
  app: Services,
  input: Written,
  sentBy: Omit<SentBy, 'sender'>,
  admit: () => Promise<void> = async () => {},
): Promise<Queued> {
  const html = input.html ?? '';
  const text = input.content ?? '';
  const mail: OutgoingMail = {
    ...(input.from === null || input.from === undefined ? {} : { from: input.from }),
    to: [input.to].flat().join(', '),
    subject: input.subject,
    text: text === '' ? (await app.mail.sanitise(html)).text : text,
    ...(html === '' ? {} : { html }),
    ...(input.headers === undefined ? {} : { headers: input.headers }),
  };
  const { sender, recipients } = checked(app, mail);
  await admit();
  const messageId = await app.db.write((trx) =>
    queueSending(app, trx, mail, recipients, { ...sentBy, sender: sender.toLowerCase() }),
  );
  app.jobs.kick();
  return { messageId };
}

function checked(app: Services, mail: OutgoingMail) {
  try {
    return app.mail.check(mail);
  } catch (error) {
    if (error instanceof MailRefused)
      fail('INVALID', { message: localizableOfRule(error.message), cause: error });
    throw error;
  }
}
