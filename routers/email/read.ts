import { z } from 'zod';
import { attachmentsOf, type MailMessage, messageIn, messageSummaries } from '../../db/mail-message.js';
import type { Mailbox } from '../../db/mailbox.js';
import type { Context } from '../context.js';
import { iso } from '../dates.js';
import { found } from '../errors.js';
import { pageFields, pageOf, toPage, windowOf } from '../paging.js';
import { collectMail } from './collect.js';
import { addressInput, readableMailbox } from './mailboxes.js';
import { plainMessageId } from './message-id.js';
import { type MessageRecord, toMessageRecord } from './record.js';

/** A mail as a list shows it. */
const summaryRecord = z.object({
  messageId: z.string(),
  from: z.string(),
  subject: z.string(),
  date: z.iso.datetime(),
});

export const messageInput = z.object({
  email: addressInput,
  /** With or without angle brackets. */
  messageId: z.string().min(1).max(1000).transform(plainMessageId),
});
type MessageInput = z.output<typeof messageInput>;

/** An attachment: the hash of its bytes and its name. */
export const attachmentRecord = z.object({ filename: z.string(), size: z.int(), sha256: z.string() });

export const inboxInput = z.object({
  email: addressInput,
  ...pageFields(50, 100),
  /** Whether to collect from the provider first. */
  collect: z.boolean().default(true),
});
export const inboxPage = pageOf(summaryRecord);

/** The mails of a mailbox as a list shows them, newest first, by default after collecting from the provider. */
export async function readInbox(
  ctx: Context,
  input: z.output<typeof inboxInput>,
): Promise<z.output<typeof inboxPage>> {
  const mailbox = await readableMailbox(ctx, input.email);
  if (input.collect) await collectMail(ctx.app);
  const list = await messageSummaries(ctx.app.db, mailbox.id, windowOf(input));
  return toPage(input, list, async ({ messageId, from, subject, date, receivedAt }) => ({
    messageId,
    from,
    subject,
    date: iso(date ?? receivedAt),
  }));
}

/** One mail without the bytes of its attachments; 404 if the mailbox has none with this id. */
export async function readMessage(ctx: Context, input: MessageInput): Promise<MessageRecord> {
  const { mailbox, message } = await lookUp(ctx, input);
  return toMessageRecord(ctx.app, mailbox.address, message);
}

/** One attachment of a mail, by its index from 0; 404 if it does not exist or its bytes are missing. */
export async function findAttachment(
  ctx: Context,
  input: MessageInput & { readonly index: number },
): Promise<z.output<typeof attachmentRecord>> {
  const { message } = await lookUp(ctx, input);
  const { filename, size, sha256 } = found((await attachmentsOf(ctx.app.db.read, message.id))[input.index]);
  return { filename, size, sha256: found(sha256) };
}

async function lookUp(
  ctx: Context,
  input: MessageInput,
): Promise<{ mailbox: Mailbox; message: MailMessage }> {
  const mailbox = await readableMailbox(ctx, input.email);
  return { mailbox, message: found(await messageIn(ctx.app.db.read, mailbox.id, input.messageId)) };
}
