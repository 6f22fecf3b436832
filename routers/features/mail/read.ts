import { z } from 'zod';
import { attachmentsOf, originalOf } from '../../../db/mail/mail-attachment.js';
import { messageSummaries } from '../../../db/mail/mail-list.js';
import { markMessage, messageById, messageIn } from '../../../db/mail/mail-message.js';
import { fail, found } from '../../base/errors.js';
import { pageFields, pageOf, toPage, windowOf } from '../../base/paging.js';
import { cutText } from '../../base/text/cut.js';
import { iso } from '../../base/text/dates.js';
import { planTransfer, transferInput } from '../../base/transfer.js';
import type { Context } from '../../core/context.js';
import { seeking } from '../../core/search.js';
import type { ContentDelivery } from '../image/public.js';
import { readableMailbox } from './access.js';
import { collectMail } from './arrival/collect.js';
import { READING_FACTOR } from './bounds.js';
import { addressInput } from './mailboxes.js';
import { plainMessageId } from './message-id.js';
import { type MessageRecord, toMessageRecord } from './record.js';
import { shortened } from './shorten.js';

const MAX_SEARCH = 200;

/** A mail as a list shows it. */
const summaryRecord = z.object({
  messageId: z.string(),
  from: z.string(),
  subject: z.string(),
  /** How its text begins, in one line. */
  beginning: z.string(),
  date: z.iso.datetime(),
  /** One-time codes in the mail, the likeliest first. */
  codes: z.array(z.string()),
  /** What the rules of the mailbox have given it. */
  tags: z.array(z.string()),
  /** Nobody has opened it on a page, or marked it as read. */
  unread: z.boolean(),
});

/** A message of a mailbox. */
export const messageInput = z.object({
  email: addressInput,
  /** With or without angle brackets. */
  messageId: z.string().min(1).max(1000).transform(plainMessageId),
});
type MessageInput = z.output<typeof messageInput>;

/** Of the file that a message is downloaded as, in UTF-16 units. */
const MAX_NAME_LENGTH = 100;

/** A message whose original bytes are wanted, or a part of them. */
export const originalInput = messageInput.extend({ transfer: transferInput });

/** `whole`: the text and the HTML in full length. */
export const readInput = messageInput.extend({ whole: z.boolean().default(false) });

/** An attachment: the hash of its bytes and its name. */
export const attachmentRecord = z.object({
  filename: z.string(),
  contentType: z.string(),
  size: z.int(),
  sha256: z.string(),
});

/** A mailbox, with filters and page of its messages. */
export const inboxInput = z.object({
  email: addressInput,
  ...pageFields(50, 100),
  /** Part of the subject, the sender or the text. */
  search: z.string().trim().max(MAX_SEARCH).nullish(),
  /** Part of the sender. */
  from: z.string().trim().max(MAX_SEARCH).nullish(),
  unread: z.boolean().nullish(),
  /** Whether to collect from the provider first. */
  collect: z.boolean().default(true),
});
/** A page of messages. */
export const inboxPage = pageOf(summaryRecord);

/** The mails of a mailbox as a list shows them, newest first, by default after collecting from the provider. */
export async function readInbox(
  ctx: Context,
  input: z.output<typeof inboxInput>,
): Promise<z.output<typeof inboxPage>> {
  const mailbox = await readableMailbox(ctx, input.email);
  if (input.collect) await collectMail(ctx.app);
  const { search, from, unread = null } = input;
  const searcher = { ...ctx, account: { id: mailbox.ownerId ?? 'guests' } };
  const list = await seeking(searcher, search || from, (found) => {
    const matchesIn = (text: string | null | undefined) =>
      found === null || !text ? null : { ...found, text };
    const filter = { matches: matchesIn(search), from: matchesIn(from), unread };
    return messageSummaries(ctx.app.db, mailbox.id, filter, windowOf(input));
  });
  return toPage(input, list, async ({ receivedAt, codes, tags, date, ...shown }) => ({
    ...shown,
    date: iso(date ?? receivedAt),
    codes: [...codes],
    tags: [...tags],
  }));
}

/**
 * One mail without the bytes of its attachments; 404 if the mailbox has none with this id. Unless it is requested as a
 * `whole`, long texts are cut. 503 while too many mails are waiting to be received by clients.
 */
export async function readMessage(ctx: Context, input: z.output<typeof readInput>): Promise<MessageRecord> {
  const { app } = ctx;
  const mailbox = await readableMailbox(ctx, input.email);
  const { id, bytes } = found(await messageIn(app.db.read, mailbox.id, input.messageId));
  const held = app.limits.mailMemory.take(READING_FACTOR * bytes, String(mailbox.ownerId));
  ctx.onFinished(held ?? fail('UNAVAILABLE', { retryAfter: 1 }));
  const message = found(await messageById(app.db.read, id));
  return toMessageRecord(app, mailbox.address, input.whole ? message : shortened(message));
}

/** The message as it came (RFC 5322); 404 if there is none with this id, or if it came before originals were kept. */
export async function readOriginal(
  ctx: Context,
  input: z.output<typeof originalInput>,
): Promise<ContentDelivery> {
  const mailbox = await readableMailbox(ctx, input.email);
  const { id } = found(await messageIn(ctx.app.db.read, mailbox.id, input.messageId));
  const { subject, sha256, size } = found(await originalOf(ctx.app.db.read, id));
  return {
    as: 'bytes',
    sha256,
    size,
    mimeType: 'message/rfc822',
    disposition: 'attachment',
    filename: `${cutText(subject.trim(), MAX_NAME_LENGTH) || 'message'}.eml`,
    uploader: null,
    shared: false,
    open: false,
    facts: { size, type: 'eml' },
    plan: planTransfer(input.transfer, `"${sha256}"`, size),
  };
}

/** A message to be marked as read or unread. */
export const markInput = messageInput.extend({ read: z.boolean().default(true) });

/** Marks a mail as read or unread; 404 if the mailbox has none with this id. */
export async function markRead(ctx: Context, input: z.output<typeof markInput>): Promise<void> {
  const mailbox = await readableMailbox(ctx, input.email);
  const marked = await ctx.app.db.write((trx) => markMessage(trx, mailbox.id, input.messageId, !input.read));
  if (!marked) fail('NOT_FOUND');
}

/** One attachment of a mail, by its index from 0; 404 if it does not exist or its bytes are missing. */
export async function findAttachment(
  ctx: Context,
  input: MessageInput & { readonly index: number },
): Promise<z.output<typeof attachmentRecord>> {
  const mailbox = await readableMailbox(ctx, input.email);
  const { id } = found(await messageIn(ctx.app.db.read, mailbox.id, input.messageId));
  const files = await attachmentsOf(ctx.app.db.read, id);
  const { filename, contentType, size, sha256 } = found(files[input.index]);
  return { filename, contentType, size, sha256: found(sha256) };
}
