import type { z } from 'zod';
import { messageById, messageIn } from '../../../db/mail/mail-message.js';
import { fail, found } from '../../base/errors.js';
import type { AccountContext } from '../../core/context.js';
import { heldMailbox } from './access.js';
import { messageInput } from './read.js';
import { statusOf } from './record.js';
import { requireNoSandbox } from './sandbox.js';
import { type queuedOutput, sendWritten, writtenFields } from './send.js';
import { answerHeaders, answerSubject, answerTo } from './threading.js';

/** An answer to a message. */
export const replyInput = messageInput
  .extend({ text: writtenFields.content, html: writtenFields.html })
  .refine(({ text, html }) => (text ?? '') !== '' || (html ?? '') !== '', {
    message: 'send the text in "text" or "html"',
  });

/**
 * Answers a message from the address of its mailbox. Only the owner may, while the mailbox is open, and 50 times a day
 * (429); 400 if the message names nobody to answer.
 */
export async function replyTo(
  ctx: AccountContext,
  input: z.output<typeof replyInput>,
): Promise<z.output<typeof queuedOutput>> {
  const { app, account } = ctx;
  const mailbox = await heldMailbox(ctx, input.email);
  requireNoSandbox(mailbox);
  if (statusOf(mailbox, Date.now()) !== 'OPEN')
    fail('INVALID', 'Only an open mailbox can answer: open it, or change when it expires');
  const { id } = found(await messageIn(app.db.read, mailbox.id, input.messageId));
  const message = found(await messageById(app.db.read, id));
  const mail = {
    // Nobody can send from the address of a catch-all.
    from: message.content.deliveredTo ?? mailbox.address,
    to: answerTo(message),
    subject: answerSubject(message.content.subject),
    content: input.text,
    html: input.html,
    headers: answerHeaders(message),
  };
  const sentBy = {
    accountId: account.id,
    mailboxId: mailbox.id,
    kind: 'REPLY',
    about: message.messageId,
  } as const;
  return sendWritten(app, mail, sentBy, () => app.limits.rates.take('reply', String(account.id)));
}
