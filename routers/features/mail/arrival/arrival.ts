import { randomUUID } from 'node:crypto';
import { retainBlobs } from '../../../../db/content/file/blob.js';
import { type Destination, destinations, lockDestinations } from '../../../../db/mail/mail-destination.js';
import { holdersOfMessage, type MailContent } from '../../../../db/mail/mail-message.js';
import type { Mailbox } from '../../../../db/mail/mailbox.js';
import { anyBlockedHash } from '../../../../db/system/block.js';
import { fail } from '../../../base/errors.js';
import { mailTopic } from '../../../base/ports/hub.js';
import type { InboundMail } from '../../../base/ports/mail/mail.js';
import type { StagedBlob } from '../../../base/ports/storage.js';
import { keepBlobs, releaseBlobs, removeUnreferenced } from '../../../core/blobs/blobs.js';
import type { Services } from '../../../core/context.js';
import { countAttempt } from '../../../core/rate-limits.js';
import { WORDS_LENGTH } from '../bounds.js';
import { type ArrivedPart, type StagedAttachments, stageAttachments } from './attachments.js';
import { codesIn } from './codes.js';
import { deliver } from './deliver.js';
import type { DeliveryReport } from './delivery-report.js';
import { withoutUnlisted } from './enclosed.js';
import { stageComposed, stageOriginal } from './original.js';
import { joinReport, reportOf } from './returned.js';
import { useToken } from './token.js';
import { examiner } from './withhold.js';

/** A mail and how it arrived. */
export interface Arrival {
  readonly mail: InboundMail;
  /** The message as it came; null if it came in fields. */
  readonly original?: Buffer | StagedBlob | null;
  /** File parts of the request. */
  readonly parts?: readonly ArrivedPart[];
  /** The provider's single-use token. */
  readonly token?: string | null;
  /** Attachments that the provider does not hand out are stored without bytes. */
  readonly partial?: boolean;
  /** The recipients of its envelope, if it was sent into a test inbox whoever it is for. */
  readonly sentTo?: readonly string[];
  /** Delivered by a caller that will retry, so the limit of each mailbox applies (429). */
  readonly counted?: boolean;
}

interface Outcome {
  /** In how many mailboxes it is now or was before, or would be but for their rules. */
  readonly stored: number;
  /** How many of them were full. */
  readonly full: number;
  /** How many of the mails that were sent from here it reports on. */
  readonly joined: number;
}

/** One message in one mailbox. */
interface Stored {
  readonly address: string;
  readonly mailId: number;
}

/** What is stored of a mail. */
interface Kept {
  readonly files: StagedAttachments;
  readonly original: StagedBlob;
  readonly content: Omit<MailContent, 'deliveredTo'>;
  /** The one-time codes in it. */
  readonly codes: readonly string[];
  readonly report: DeliveryReport | null;
}

/**
 * Stores a mail in every open recipient mailbox, once per Message-Id and mailbox, with its token, its attachments and
 * its original in one transaction; then notifies watchers. Unknown recipients and repeated deliveries change nothing.
 * Refuses a token that was used for another mail with 406. A report is joined with the mail that it is about, whether a
 * mailbox has its address or not.
 */
export async function takeArrival(app: Services, arrival: Arrival): Promise<Outcome> {
  const report = await reportOf(arrival.mail, arrival.parts ?? []);
  const mailboxes = openOf(await destinations(app.db, arrival.mail.recipients, Date.now()));
  const ids = [...mailboxes.keys()];
  const holders = await holdersOfMessage(app.db, ids, arrival.mail.messageId);
  if (ids.every((id) => holders.has(id))) {
    const joined = await app.db.write(async (trx) => {
      await useToken(trx, arrival);
      return report === null ? 0 : joinReport(app, trx, report, arrival.mail);
    });
    return { stored: ids.length, full: 0, joined };
  }
  const counted = arrival.counted === true ? ids : [];
  // What is refused for now comes again, and counts then.
  return countAttempt(
    app.limits.rates,
    counted.map((id) => ['mailbox', String(id)]),
    () => keep(app, arrival, report),
  );
}

/** Stages a mail and stores it. */
async function keep(app: Services, arrival: Arrival, report: DeliveryReport | null): Promise<Outcome> {
  const partial = arrival.partial === true;
  const examine = examiner(app, { patience: !partial });
  const { mail, whole } = await withoutUnlisted(app, examine, arrival.mail, arrival.original ?? null);
  const files = await stageAttachments(app, mail.attachments, arrival.parts ?? [], { partial, examine });
  let original: StagedBlob | null = null;
  try {
    // A message as it came would bring in what is withheld: one without it is written instead.
    const isWhole = whole && files.attachments.every(({ withheld }) => withheld === null);
    original = await (arrival.original == null || !isWhole
      ? stageComposed(app, mail, files)
      : stageOriginal(app, arrival.original));
    if (await anyBlockedHash(app.db.read, [original.sha256])) {
      await original.discard();
      original = await stageComposed(app, unlike(mail), files);
    }
    const said = await contentOf(app, mail, files);
    return await store(app, arrival, { files, original, ...said, report });
  } finally {
    await files.discard();
    await original?.discard();
  }
}

/** The same mail, whose message is written in other bytes than ever before. */
const unlike = (mail: InboundMail): InboundMail => ({
  ...mail,
  headers: { ...mail.headers, 'X-Holdall-Copy': randomUUID() },
});

/** The mailboxes that get a mail, and the recipient that brings it there. */
function openOf(
  found: readonly Destination[],
): Map<number, { readonly mailbox: Mailbox; recipient: string }> {
  const open = new Map<number, { readonly mailbox: Mailbox; recipient: string }>();
  for (const { mailbox, recipient } of found)
    if (mailbox !== null && !open.has(mailbox.id)) open.set(mailbox.id, { mailbox, recipient });
  return open;
}

/** What a mail says, as it is shown: a mail that is only formatted has the words of its HTML as text. */
async function contentOf(
  app: Services,
  mail: InboundMail,
  files: StagedAttachments,
): Promise<Pick<Kept, 'content' | 'codes'>> {
  const { messageId, recipients, attachments, unlisted, html: received, ...said } = mail;
  const truncated = mail.truncated || files.missing;
  if (received === null)
    return { content: { ...said, html: null, blocked: 0, truncated }, codes: codesIn(said, null) };
  const { html, blocked, text: shown } = await app.mail.sanitise(received);
  // Too large to be shown as it is formatted, or only in places that are not kept.
  const lost = shown === '' && !html.includes('<img');
  const words =
    said.text.trim() !== ''
      ? { text: said.text, cut: false }
      : lost
        ? await app.mail.words(received, WORDS_LENGTH)
        : { text: shown, cut: false };
  const { text, cut } = words;
  const isLess = lost && text !== '';
  const content = {
    ...said,
    ...{ text, html: lost ? '' : html, blocked, truncated: truncated || cut || isLess },
  };
  return { content, codes: codesIn(content, lost ? null : shown) };
}

async function store(app: Services, arrival: Arrival, kept: Kept): Promise<Outcome> {
  const { files, original, content, codes, report } = kept;
  const blobs = [...files.blobs, original];
  const hashes = blobs.map(({ sha256 }) => sha256);
  const bytes = files.blobs.reduce((total, blob) => total + blob.size, 0);
  const size = bytes + Buffer.byteLength(JSON.stringify(content));
  const { messageId, recipients } = arrival.mail;
  const { stored, dropped, full, joined, unreferenced } = await keepBlobs(app, blobs, async (trx) => {
    // Blocked since it was looked at: the next attempt comes without it.
    if (await anyBlockedHash(trx, hashes)) fail('UNAVAILABLE', { retryAfter: 1 });
    await useToken(trx, arrival);
    const joined = report === null ? 0 : await joinReport(app, trx, report, arrival.mail);
    const receivedAt = Date.now();
    const added: Stored[] = [];
    let over = 0;
    let dropped = 0;
    const open = openOf(await lockDestinations(app.db, trx, recipients, receivedAt));
    for (const { mailbox, recipient } of open.values()) {
      const deliveredTo = arrival.sentTo?.join(', ') ?? (recipient === mailbox.address ? null : recipient);
      const mail = {
        messageId,
        receivedAt,
        size,
        codes,
        content: { ...content, deliveredTo },
        original: { sha256: original.sha256, size: original.size },
        attachments: files.attachments,
      };
      const { outcome, mailId } = await deliver(app, trx, mailbox, mail);
      if (outcome === 'full') over += 1;
      if (outcome === 'dropped') dropped += 1;
      if (mailId === null) continue;
      added.push({ address: mailbox.address, mailId });
    }
    // The blobs already have one reference, which is for the first mailbox.
    const unreferenced = added.length === 0 ? await releaseBlobs(trx, hashes) : [];
    await retainBlobs(
      trx,
      added.slice(1).flatMap(() => blobs),
    );
    return { stored: added, dropped, full: over, joined, unreferenced };
  });
  await removeUnreferenced(app, unreferenced);
  if (stored.length + dropped > 0) app.jobs.kick();
  for (const { address, mailId } of stored) app.hub.publish(mailTopic(address), { mailId });
  return { stored: stored.length + dropped, full, joined };
}
