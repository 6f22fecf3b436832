import { open } from 'node:fs/promises';
import type { Queryable } from '../../../../db/engine/queryable.js';
import { noteReport, type ReportedSending, sendingsNamed } from '../../../../db/mail/mail-sending-report.js';
import { untagged } from '../../../../db/mail/mailbox.js';
import type { InboundAttachment, InboundMail } from '../../../base/ports/mail/mail.js';
import type { Services } from '../../../core/context.js';
import { markOf } from '../../../core/mail/mark.js';
import type { ArrivedPart } from './attachments.js';
import { answerAbout, type DeliveryReport, type ReportedRecipient, reportIn } from './delivery-report.js';

/** What may come with a report: the form, and the mail that it is about. */
const ENCLOSED =
  /^(?:message\/(?:global-)?(?:delivery-status|rfc822|global|headers|rfc822-headers)|text\/rfc822-headers)$/;
const MAX_ENCLOSED = 10;
const MAX_BYTES = 64 * 1024;

/** The report that a mail is; null for other mails. */
export async function reportOf(
  mail: InboundMail,
  parts: readonly ArrivedPart[],
): Promise<DeliveryReport | null> {
  const files = mail.attachments.filter(({ contentType }) => ENCLOSED.test(contentType));
  // Other mails are known by their heads.
  if (mail.sender !== '' && reportIn(mail, []) === null && files.length === 0) return null;
  const enclosed = await Promise.all(files.slice(0, MAX_ENCLOSED).map((file) => textOf(file, parts)));
  return reportIn(mail, enclosed);
}

async function textOf({ content }: InboundAttachment, parts: readonly ArrivedPart[]): Promise<string> {
  if (content.kind === 'bytes') return content.bytes.toString('utf8', 0, MAX_BYTES);
  if (content.kind === 'stored') return '';
  const blob = parts.find(({ field }) => field === content.field)?.upload.blob;
  if (blob === undefined) return '';
  return blob.content?.toString('utf8', 0, MAX_BYTES) ?? beginningOf(blob.path);
}

async function beginningOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Joins a report with the mails that it is about: only with those that were sent from an address to which it has come.
 * It is noted for the recipients of whom it may speak. Returns how many mails there are, so that a report on one of them
 * is accepted even if nobody can say for whom.
 */
export async function joinReport(
  app: Pick<Services, 'db' | 'secrets' | 'log'>,
  trx: Queryable,
  report: DeliveryReport,
  { messageId, recipients }: Pick<InboundMail, 'messageId' | 'recipients'>,
): Promise<number> {
  if (report.messageIds.length === 0) return 0;
  const senders = [...new Set(recipients.flatMap((address) => [address, untagged(address)]))];
  const sendings = await sendingsNamed(app.db, trx, report.messageIds, senders);
  const changedAt = Date.now();
  for (const sending of sendings) {
    const recipients = reportable(app, report, sending);
    if (recipients.length === 0)
      app.log.info({ sendingId: sending.id }, 'a report does not say which copy of a mail it is about');
    for (const [address, { state, answer }] of meant(report, recipients))
      await noteReport(trx, sending.id, { address, state, answer, changedAt, reportId: messageId });
  }
  return sendings.length;
}

/**
 * The recipients about whom a report may say something: the only one, or those whose copies it returns. Everybody who
 * got the mail could otherwise say what they like about the others.
 */
function reportable(
  app: Pick<Services, 'secrets'>,
  { marks }: DeliveryReport,
  { messageId, recipients }: ReportedSending,
): readonly string[] {
  if (recipients.length === 1) return recipients;
  return recipients.filter((address) => marks.includes(markOf(app, messageId, address)));
}

/** What a report says about the recipients of a mail. */
function meant(
  { recipients, words }: DeliveryReport,
  reportable: readonly string[],
): (readonly [address: string, Pick<ReportedRecipient, 'state' | 'answer'>])[] {
  const [only, ...others] = reportable;
  const single = only !== undefined && others.length === 0 ? only : null;
  if (recipients.length > 0)
    return recipients.flatMap((said) => {
      const known = reportable.filter((address) => said.addresses.includes(address.toLowerCase()));
      // Whoever gets it may have sent it on to an address of theirs.
      const those = known.length === 0 && single !== null ? [single] : known;
      return those.map((address) => [address, said] as const);
    });
  const text = words.text.toLowerCase();
  const named = reportable.filter((address) => text.includes(address.toLowerCase()));
  const those = named.length === 0 && single !== null ? [single] : named;
  return those.map((address) => [address, { state: words.state, answer: answerAbout(words.text, address) }]);
}
