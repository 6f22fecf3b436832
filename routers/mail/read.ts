import { z } from 'zod';
import { attachmentsOf, messageById, messageIn, messageSummaries } from '../../db/mail/mail-message.js';
import type { Context } from '../context.js';
import { fail, found } from '../errors.js';
import { pageFields, pageOf, toPage, windowOf } from '../shared/paging.js';
import { iso } from '../text/dates.js';
import { READING_FACTOR } from './bounds.js';
import { collectMail } from './collect.js';
import { addressInput, readableMailbox } from './mailboxes.js';
import { plainMessageId } from './message-id.js';
import { type MessageRecord, toMessageRecord } from './record.js';
import { shortened } from './shorten.js';

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

/** `whole`: the text and the HTML in full length. */
export const readInput = messageInput.extend({ whole: z.boolean().default(false) });

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

/**
 * One mail without the bytes of its attachments; 404 if the mailbox has none with this id. Unless it is requested as a
 * `whole`, long texts are cut. 503 while too many mails are waiting to be received by clients.
 */
export async function readMessage(ctx: Context, input: z.output<typeof readInput>): Promise<MessageRecord> {
  const { app } = ctx;
  const mailbox = await readableMailbox(ctx, input.email);
  const { id, length } = found(await messageIn(app.db.read, mailbox.id, input.messageId));
  const held = app.limits.mailMemory.take(READING_FACTOR * length, String(mailbox.ownerId));
  ctx.whenOver(held ?? fail('UNAVAILABLE', { retryAfter: 1 }));
  const message = found(await messageById(app.db.read, id));
  return toMessageRecord(app, mailbox.address, input.whole ? message : shortened(message));
}

/** One attachment of a mail, by its index from 0; 404 if it does not exist or its bytes are missing. */
export async function findAttachment(
  ctx: Context,
  input: MessageInput & { readonly index: number },
): Promise<z.output<typeof attachmentRecord>> {
  const mailbox = await readableMailbox(ctx, input.email);
  const { id } = found(await messageIn(ctx.app.db.read, mailbox.id, input.messageId));
  const { filename, size, sha256 } = found((await attachmentsOf(ctx.app.db.read, id))[input.index]);
  return { filename, size, sha256: found(sha256) };
}
