import type { Queryable } from '../../../../db/engine/queryable.js';
import { attachmentsOf } from '../../../../db/mail/mail-attachment.js';
import { destinations } from '../../../../db/mail/mail-destination.js';
import { forwardOf } from '../../../../db/mail/mail-forward.js';
import { type MailMessage, messageById } from '../../../../db/mail/mail-message.js';
import { insertSending } from '../../../../db/mail/mail-sending.js';
import { type Mailbox, mailboxById } from '../../../../db/mail/mailbox.js';
import type { JobPayloads } from '../../../base/ports/jobs.js';
import type { OutgoingAttachment, OutgoingMail } from '../../../base/ports/mail/mail.js';
import { BlobMissing } from '../../../base/ports/storage.js';
import { cutText } from '../../../base/text/cut.js';
import type { Services } from '../../../core/context.js';
import { newIdentity } from '../../../core/mail/outgoing.js';
import { hashSecret } from '../../../core/secrets.js';
import { BUILDING_FACTOR, FORWARDED_BYTES, SHOWN_LENGTH } from '../bounds.js';
import { forwardsByRule } from '../rules.js';
import { isSandbox } from '../sandbox.js';
import { answerSubject, answerTo, headerIn } from '../threading.js';
import { isBounce } from './delivery-report.js';

/** Names the mailboxes that a mail has been forwarded by, so that loops end. */
const HEADER = 'X-Holdall-Forwarded';
const MAX_HOPS = 5;
/** A mail that passed more servers than this is in a loop that hides our header. */
const MAX_RECEIVED = 40;

const markOf = (address: string): string => hashSecret(`forward:${address}`).slice(0, 16);

const hopsOf = (headers: Readonly<Record<string, string>>): string[] =>
  headerIn(headers, HEADER.toLowerCase()).split(/\s+/).filter(Boolean);

/** Whether a mail may be forwarded by this mailbox: not in a circle, and no bounce, which would bounce again. */
function mayForward({ address }: Pick<Mailbox, 'address'>, content: MailMessage['content']): boolean {
  const { sender, headers } = content;
  if (sender === '' || isBounce(content)) return false;
  const hops = hopsOf(headers);
  if (hops.length >= MAX_HOPS || hops.includes(markOf(address))) return false;
  if (/auto-replied/i.test(headerIn(headers, 'auto-submitted'))) return false;
  return headerIn(headers, 'received').split('\n').length <= MAX_RECEIVED;
}

/** Queues the forwarding of a mail that is being stored to where its mailbox forwards, and to where its rules do. */
export async function queueForwards(
  app: Services,
  trx: Queryable,
  mailbox: Mailbox,
  mail: Pick<MailMessage, 'id' | 'messageId' | 'content'>,
  byRule: readonly string[],
): Promise<void> {
  if (isSandbox(mailbox)) return;
  const forward = await forwardOf(trx, mailbox.id);
  const targets = new Set([...(forward?.confirmed === true ? [forward.target] : []), ...byRule]);
  if (mailbox.ownerId === null || targets.size === 0 || !mayForward(mailbox, mail.content)) return;
  for (const target of targets)
    await queueForward(app, trx, { ...mailbox, ownerId: mailbox.ownerId }, mail, target);
}

async function queueForward(
  app: Services,
  trx: Queryable,
  mailbox: Mailbox & { readonly ownerId: number },
  { id, messageId, content }: Pick<MailMessage, 'id' | 'messageId' | 'content'>,
  target: string,
): Promise<void> {
  const identity = newIdentity(app);
  const sending = {
    ...identity,
    accountId: mailbox.ownerId,
    mailboxId: mailbox.id,
    kind: 'FORWARD',
    about: messageId,
    sender: senderOf(mailbox, content),
    subject: plainSubject(content.subject),
  } as const;
  const sendingId = await insertSending(trx, sending, [target]);
  await app.jobs.add(trx, 'mailForward', { mailId: id, target, ...identity, sendingId });
}

/** Nobody can send from the address of a catch-all. */
const senderOf = ({ address }: Pick<Mailbox, 'address'>, content: MailMessage['content']): string =>
  content.deliveredTo ?? address;

/**
 * Sends a stored mail on, from the address of its mailbox, so that the receiving server can check the sender. Does
 * nothing if the mail or the forwarding is gone meanwhile; returns whether it was sent.
 */
export async function forwardMail(
  app: Services,
  { mailId, target, messageId, sentAt }: JobPayloads['mailForward'],
): Promise<boolean> {
  const message = await messageById(app.db.read, mailId);
  if (message === null) return false;
  const mailbox = await mailboxById(app.db.read, message.mailboxId);
  const [open] = mailbox === null ? [] : await destinations(app.db, [mailbox.address], Date.now());
  if (mailbox === null || open?.state !== 'open' || isSandbox(mailbox)) return false;
  const forward = await forwardOf(app.db.read, message.mailboxId);
  const isTarget = forward?.confirmed === true && forward.target === target;
  if (!isTarget && !(await forwardsByRule(app.db.read, mailbox, target))) return false;
  const release = app.limits.mailMemory.take(BUILDING_FACTOR * message.size, `forward ${mailbox.id}`);
  if (release === null) throw new Error('too many mails are in memory');
  try {
    const mail = await forwarded(app, mailbox, message, target);
    await app.mail.transport.send({
      ...mail,
      ...(messageId === undefined ? {} : { messageId }),
      ...(sentAt === undefined ? {} : { sentAt }),
    });
    return true;
  } finally {
    release();
  }
}

async function forwarded(
  app: Services,
  mailbox: Mailbox,
  message: MailMessage,
  target: string,
): Promise<OutgoingMail> {
  const { content } = message;
  const address = senderOf(mailbox, content);
  const { files, left } = await filesOf(app, message.id);
  const note =
    left === 0
      ? ''
      : `\n\n-- \n${left} attachment(s) were not forwarded, because they are large or withheld; see ${address}.`;
  const html = (content.html ?? '').replaceAll(' data-src="', ' src="');
  return {
    from: `"${senderName(content.from)} via ${address}" <${address}>`,
    to: target,
    subject: plainSubject(content.subject),
    text: cutText(content.text, SHOWN_LENGTH) + note,
    ...(html === '' || html.length > SHOWN_LENGTH ? {} : { html }),
    headers: {
      [HEADER]: [...hopsOf(content.headers), markOf(mailbox.address)].join(' '),
      ...replyHeader(message),
    },
    attachments: files,
  };
}

/** The name or the address of a sender, without what could end a quoted name. */
function senderName(from: string): string {
  return plainName(from.slice(0, Math.max(from.indexOf('<'), 0))) || plainName(from);
}

const plainName = (text: string): string =>
  cutText(text.replace(/["\\<>\p{Cc}\u2028\u2029]/gu, '').trim(), 100);

const plainSubject = (subject: string): string => answerSubject(`Re: ${subject}`).slice('Re: '.length);

/** Answers go to whom the mail names for them; only plain addresses are passed on. */
function replyHeader(message: MailMessage): Record<string, string> {
  const addresses = answerTo(message).match(/[^\s<>,;:"()@]{1,64}@[a-z0-9.-]{1,253}/gi) ?? [];
  const plain = addresses.filter((address) => /^[!-~]+$/.test(address));
  return plain.length === 0 ? {} : { 'Reply-To': plain.slice(0, 10).join(', ') };
}

async function filesOf(
  app: Services,
  mailId: number,
): Promise<{ files: OutgoingAttachment[]; left: number }> {
  const files: OutgoingAttachment[] = [];
  let bytes = 0;
  let left = 0;
  for (const { filename, contentType, size, sha256, contentId } of await attachmentsOf(app.db.read, mailId)) {
    if (sha256 === null || bytes + size > FORWARDED_BYTES) {
      left += 1;
      continue;
    }
    bytes += size;
    const content = await app.storage.blobs.read(sha256).catch((error: unknown) => {
      if (error instanceof BlobMissing) return null;
      throw error;
    });
    if (content !== null) files.push({ filename, contentType, content, contentId });
  }
  return { files, left };
}
