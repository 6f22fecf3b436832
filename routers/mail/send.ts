import { z } from 'zod';
import type { Services } from '../context.js';
import { fail } from '../errors.js';
import type { OutgoingMail } from '../ports/mail.js';
import { MailRefused } from '../ports/mail.js';
import { htmlToText } from './html-text.js';

const MAX_LENGTH = 5 * 1024 * 1024;

const address = z.string().trim().min(1).max(4096);

export const sendInput = z
  .object({
    from: address.nullish(),
    to: z.union([address, z.array(address).min(1).max(50)]),
    subject: z.string().default(''),
    content: z.string().max(MAX_LENGTH).nullish(),
    html: z.string().max(MAX_LENGTH).nullish(),
  })
  .refine(({ content, html }) => (content ?? '') !== '' || (html ?? '') !== '', {
    message: 'send the text in "content" or "html"',
  });

/**
 * Queues a mail; it is durable when this returns and is sent with retries. Refuses with 400 what no server
 * would accept: bad addresses, control characters in headers.
 */
export async function sendMail(app: Services, input: z.output<typeof sendInput>): Promise<void> {
  const html = input.html ?? '';
  const text = input.content ?? '';
  const mail: OutgoingMail = {
    ...(input.from === null || input.from === undefined ? {} : { from: input.from }),
    to: [input.to].flat().join(', '),
    subject: input.subject,
    text: text === '' ? await htmlToText(app.mail.sanitise, html) : text,
    ...(html === '' ? {} : { html }),
  };
  try {
    app.mail.check(mail);
  } catch (error) {
    if (error instanceof MailRefused) fail('INVALID', { message: error.message, cause: error });
    throw error;
  }
  await app.db.write((trx) => app.jobs.add(trx, 'mail', mail));
  app.jobs.kick();
}
