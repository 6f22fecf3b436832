import { z } from 'zod';
import { isExpired } from '../../../db/content/life.js';
import { attachmentsOf } from '../../../db/mail/mail-attachment.js';
import type { MailMessage } from '../../../db/mail/mail-message.js';
import type { Mailbox } from '../../../db/mail/mailbox.js';
import { found } from '../../base/errors.js';
import { BlobMissing } from '../../base/ports/storage.js';
import { iso, isoOrNull } from '../../base/text/dates.js';
import { summaryOf, userSummary } from '../../core/accounts/user-summary.js';
import type { Services } from '../../core/context.js';
import { WITHHELD } from './arrival/withhold.js';
import { isSandbox } from './sandbox.js';

const STATUSES = ['OPEN', 'CLOSED', 'EXPIRED', 'DELETED', 'SUSPENDED'] as const;
type MailboxStatus = (typeof STATUSES)[number];

/** A receiving address (contract §3). */
export const mailboxRecord = z.object({
  id: z.int(),
  email: z.string(),
  createdAt: z.iso.datetime(),
  /** Null for a guest mailbox. */
  createdBy: userSummary.nullable(),
  status: z.enum(STATUSES),
  /** "never" or ISO 8601. */
  expireAt: z.string(),
  expiresAt: z.iso.datetime().nullable(),
  /** Whether it has sending credentials: what is sent with them stays in it, and nothing leaves it. */
  sandbox: z.boolean(),
});
export type MailboxRecord = z.output<typeof mailboxRecord>;

/** The status of a mailbox at a moment. */
export function statusOf(mailbox: Mailbox, at: number): MailboxStatus {
  if (mailbox.state === 'DELETED' || mailbox.state === 'SUSPENDED') return mailbox.state;
  return isExpired(mailbox, at) ? 'EXPIRED' : mailbox.state;
}

/** A mailbox as the API describes it. */
export const toMailboxRecord = async (app: Services, mailbox: Mailbox): Promise<MailboxRecord> => ({
  id: mailbox.id,
  email: mailbox.address,
  createdAt: iso(mailbox.createdAt),
  createdBy: mailbox.guest ? null : await summaryOf(app, found(mailbox.ownerId)),
  status: statusOf(mailbox, Date.now()),
  expireAt: mailbox.expiresAt === null ? 'never' : iso(mailbox.expiresAt),
  expiresAt: isoOrNull(mailbox.expiresAt),
  sandbox: isSandbox(mailbox),
});

const attachment = z.object({
  filename: z.string(),
  contentType: z.string(),
  size: z.int(),
  /** What `cid:` addresses in the HTML name, without angle brackets. */
  contentId: z.string().nullable(),
  disposition: z.enum(['inline', 'attachment']).nullable(),
  /** Why its bytes are not kept: blocked, malware, or never scanned; null for all others. */
  withheld: z.enum(WITHHELD).nullable(),
});

/** A received mail without the bytes of its attachments; `html` is sanitised and loads nothing remote. */
export const messageRecord = z.object({
  messageId: z.string(),
  from: z.string(),
  to: z.string(),
  cc: z.string(),
  replyTo: z.string(),
  subject: z.string(),
  date: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
  text: z.string(),
  content: z.string(),
  html: z.string(),
  /** Number of remote images and the like in `html` that are not loaded; their URLs are in `data-src`. */
  blockedContent: z.int(),
  envelope: z.object({ from: z.string(), to: z.string() }),
  headers: z.record(z.string(), z.string()),
  attachments: z.array(attachment),
  /** What is known of the sender, as in RFC 8601; null if it was not checked. */
  authentication: z.object({ spf: z.string(), dkim: z.string(), dmarc: z.string() }).nullable(),
  unread: z.boolean(),
  /** One-time codes in the mail, the likeliest first. */
  codes: z.array(z.string()),
  /** What the rules of the mailbox have given it. */
  tags: z.array(z.string()),
  /** Bytes of the message as it came; null if it is not kept. */
  originalSize: z.int().nullable(),
  /** True if something of the mail is missing in `text`, `html` and `attachments`; its original has everything. */
  truncated: z.boolean(),
});
export type MessageRecord = z.output<typeof messageRecord>;

/** A received mail (contract §3). `contentBase64` is "" if the bytes are missing. */
export const mailRecord = messageRecord.extend({
  attachments: z.array(attachment.extend({ contentBase64: z.string() })),
});
export type MailRecord = z.output<typeof mailRecord>;

/** The record of a mail with its attachments. */
export async function toMailRecord(
  app: Services,
  address: string,
  message: MailMessage,
): Promise<MailRecord> {
  const attachments: MailRecord['attachments'] = [];
  for (const { sha256, ...file } of await attachmentsOf(app.db.read, message.id)) {
    attachments.push({ ...file, contentBase64: sha256 === null ? '' : await readBase64(app, sha256) });
  }
  return { ...written(address, message), attachments };
}

/** The record of a mail with only the names of its attachments. */
export async function toMessageRecord(
  app: Services,
  address: string,
  message: MailMessage & { readonly truncated?: boolean },
): Promise<MessageRecord> {
  const files = await attachmentsOf(app.db.read, message.id);
  return {
    ...written(address, message),
    attachments: files.map(({ sha256: _, ...file }) => file),
    truncated: message.truncated === true || message.content.truncated,
  };
}

/** The record without attachments. */
function written(
  address: string,
  { messageId, receivedAt, unread, codes, tags, content, original }: MailMessage,
): Omit<MessageRecord, 'attachments'> {
  return {
    messageId,
    from: content.from,
    to: content.to.join(', '),
    cc: content.cc.join(', '),
    replyTo: content.replyTo.join(', '),
    subject: content.subject,
    date: iso(content.date ?? receivedAt),
    receivedAt: iso(receivedAt),
    text: content.text,
    content: content.text,
    html: content.html ?? '',
    blockedContent: content.blocked,
    envelope: { from: content.sender, to: content.deliveredTo ?? address },
    headers: { ...content.headers },
    authentication: content.authentication,
    unread,
    codes: [...codes],
    tags: [...tags],
    originalSize: original?.size ?? null,
    truncated: content.truncated,
  };
}

/** The bytes of an attachment in base64; "" if its message was removed meanwhile. */
async function readBase64(app: Services, sha256: string): Promise<string> {
  try {
    return (await app.storage.blobs.read(sha256)).toString('base64');
  } catch (error) {
    if (error instanceof BlobMissing) return '';
    throw error;
  }
}
