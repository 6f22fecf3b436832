import { retainBlob } from '../../db/content/blob.js';
import type { Queryable } from '../../db/engine/queryable.js';
import {
  holdersOfMessage,
  insertAttachments,
  insertMessage,
  type MailContent,
  mailboxUsage,
} from '../../db/mail/mail-message.js';
import { takeMailToken } from '../../db/mail/mail-token.js';
import { lockOpenMailboxes, openMailboxes } from '../../db/mail/mailbox.js';
import { hashSecret } from '../auth/secrets.js';
import type { Services } from '../context.js';
import { fail } from '../errors.js';
import { mailTopic } from '../ports/hub.js';
import type { InboundMail } from '../ports/mail.js';
import { keepBlobs, releaseBlobs, removeUnreferenced } from '../shared/blobs.js';
import { takeAll } from '../shared/limits.js';
import { type ArrivedPart, type StagedAttachments, stageAttachments } from './attachments.js';
import { MAILBOX_BYTES, MAILBOX_MESSAGES } from './bounds.js';

/** Signatures are valid for 15 minutes around their time; their tokens are remembered for longer. */
const TOKEN_MEMORY_MS = 60 * 60 * 1000;

/** A mail and how it arrived. */
export interface Arrival {
  readonly mail: InboundMail;
  /** File parts of the request. */
  readonly parts?: readonly ArrivedPart[];
  /** The provider's single-use token. */
  readonly token?: string | null;
  /** Attachments that the provider does not hand out are stored without bytes. */
  readonly partial?: boolean;
  /** Delivered by a caller that will retry, so the limit of each mailbox applies (429). */
  readonly counted?: boolean;
}

/** One message in one mailbox. */
interface Stored {
  readonly address: string;
  readonly mailId: number;
}

/**
 * Stores a mail in every open recipient mailbox, once per Message-Id and mailbox, with its token and
 * attachments in one transaction; then notifies watchers. Unknown recipients and repeated deliveries change
 * nothing. Refuses a token that was used for another mail with 406.
 */
export async function takeArrival(app: Services, arrival: Arrival): Promise<void> {
  const { mail } = arrival;
  const mailboxes = await openMailboxes(app.db, mail.recipients, Date.now());
  const holders = await holdersOfMessage(
    app.db,
    mailboxes.map(({ id }) => id),
    mail.messageId,
  );
  if (mailboxes.every(({ id }) => holders.has(id))) {
    await app.db.write((trx) => useToken(trx, arrival));
    return;
  }
  if (arrival.counted === true) {
    await takeAll(
      app.limits.rates,
      mailboxes.map(({ id }) => ['mailbox', String(id)]),
    );
  }
  const files = await stageAttachments(app, mail.attachments, arrival.parts ?? [], arrival.partial === true);
  try {
    const { messageId, recipients, attachments, html: received, ...content } = mail;
    const { html, blocked } =
      received === null ? { html: null, blocked: 0 } : await app.mail.sanitise(received);
    await store(app, arrival, files, { ...content, html, blocked });
  } finally {
    await files.discard();
  }
}

async function store(
  app: Services,
  arrival: Arrival,
  { attachments, blobs }: StagedAttachments,
  content: MailContent,
): Promise<void> {
  const hashes = blobs.map(({ sha256 }) => sha256);
  const bytes = blobs.reduce((total, blob) => total + blob.size, 0);
  const size = bytes + Buffer.byteLength(JSON.stringify(content));
  const { stored, unreferenced } = await keepBlobs(app, blobs, async (trx) => {
    await useToken(trx, arrival);
    const receivedAt = Date.now();
    const added: Stored[] = [];
    for (const { id, address } of await lockOpenMailboxes(app.db, trx, arrival.mail.recipients, receivedAt)) {
      if (await isFull(app, trx, id, size)) continue;
      const { messageId } = arrival.mail;
      const mailId = await insertMessage(trx, { mailboxId: id, messageId, receivedAt, size, content });
      if (mailId === null) continue;
      await insertAttachments(trx, mailId, attachments);
      added.push({ address, mailId });
    }
    // The blobs already have one reference, which is for the first mailbox.
    const unreferenced = added.length === 0 ? await releaseBlobs(trx, hashes) : [];
    for (const _further of added.slice(1)) {
      for (const blob of blobs) await retainBlob(trx, blob.sha256, blob.size);
    }
    return { stored: added, unreferenced };
  });
  await removeUnreferenced(app, unreferenced);
  for (const { address, mailId } of stored) app.hub.publish(mailTopic(address), { mailId });
}

/** Uses the token of a signed call; valid for one mail only, however often the provider repeats it. */
export async function useToken(trx: Queryable, { mail, token }: Arrival): Promise<void> {
  if (token === undefined || token === null) return;
  const at = Date.now();
  const delivery = hashSecret([mail.messageId, ...[...mail.recipients].sort()].join('\n'));
  const use = await takeMailToken(trx, { hash: hashSecret(token), delivery }, at, at - TOKEN_MEMORY_MS);
  if (use === 'misused') fail('MAIL_STALE');
}

async function isFull(app: Services, trx: Queryable, mailboxId: number, size: number): Promise<boolean> {
  const { messages, bytes } = await mailboxUsage(trx, mailboxId);
  if (messages < MAILBOX_MESSAGES && bytes + size <= MAILBOX_BYTES) return false;
  app.log.warn({ mailboxId, messages, bytes }, 'a mail was rejected: its mailbox is full');
  return true;
}
