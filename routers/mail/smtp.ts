import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { destinations } from '../../db/mail/mail-destination.js';
import { mailboxUsage } from '../../db/mail/mail-message.js';
import { hasSent } from '../../db/mail/mail-sending.js';
import type { Services } from '../context.js';
import { DomainError } from '../errors.js';
import { type Envelope, InboundRefused } from '../ports/mail.js';
import type { Peer, SmtpReceiver, SmtpVerdict } from '../ports/smtp.js';
import { BlobTooLarge, type StagedBlob } from '../ports/storage.js';
import { takeArrival } from './arrival.js';
import { MAILBOX_BYTES, MAILBOX_MESSAGES } from './bounds.js';

/** Messages are read from memory: so many at once, while the others wait in the staging area. */
const READ_AT_ONCE = 2;
/** A message that has passed so many servers goes round in circles. */
const MAX_HOPS = 50;

/** Receives mail by SMTP; a message has at most `maxBytes`. */
export function smtpReceiver(app: Services, maxBytes: number): SmtpReceiver {
  const inTurn = turns(READ_AT_ONCE);
  return {
    recipient: (address, sender, peer) => answering(app, () => recipient(app, address, sender, peer)),
    message: (source, envelope, peer) =>
      answering(app, async () => {
        const staged = await stage(app, source, envelope, peer, maxBytes);
        try {
          return await inTurn(() => take(app, staged, envelope, peer));
        } finally {
          await staged.discard();
        }
      }),
  };
}

async function recipient(app: Services, given: string, sender: string, peer: Peer): Promise<SmtpVerdict> {
  const address = given.toLowerCase().replace(/\.$/, '');
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (!app.settings.mailDomains.includes(domain)) return 'foreign';
  const verdict = await destinationOf(app, address);
  // A report on a mail from this address is joined with that mail, whether or not it is stored.
  if (verdict === 'accepted' || (sender === '' && (await hasSent(app.db.read, address)))) return 'accepted';
  // Whoever tries names is answered later and later.
  if (verdict === 'unknown') await app.limits.rates.take('smtpUnknown', peer.address);
  return verdict;
}

async function destinationOf(app: Services, address: string): Promise<SmtpVerdict> {
  const [found] = await destinations(app.db, [address], Date.now());
  if (found === undefined || found.state === 'unknown') return 'unknown';
  if (found.state !== 'open') return 'closed';
  const { messages, bytes } = await mailboxUsage(app.db.read, found.mailbox.id);
  return messages >= MAILBOX_MESSAGES || bytes >= MAILBOX_BYTES ? 'full' : 'accepted';
}

/** The message in the staging area, behind the line that says how it came (RFC 5321 §4.4). */
async function stage(
  app: Services,
  source: Readable,
  envelope: Envelope,
  peer: Peer,
  maxBytes: number,
): Promise<StagedBlob> {
  await app.limits.rates.take('smtp', peer.address);
  const trace = Buffer.from(traceOf(app, envelope, peer));
  const whole = Readable.from(behind(trace, source), { objectMode: false });
  try {
    return await app.storage.blobs.stage(whole, { maxBytes: maxBytes + trace.length + LINE_END.length });
  } finally {
    // Nobody else reads the rest of a message that is too large, as long as this one still listens.
    whole.destroy();
  }
}

const LINE_END = Buffer.from('\r\n');
/** How a message begins; a text without headers would otherwise become one of them. */
const BEGINS_WITH_HEADER = /^(?:>?From |[!-9;-~]{1,200}[ \t]*:)/;
const BEGINNING = 256;

/** The trace and the message behind it. The stream is not destroyed: its connection goes on. */
async function* behind(trace: Buffer, source: Readable): AsyncGenerator<Buffer> {
  yield trace;
  let beginning: Buffer | null = Buffer.alloc(0);
  const begun = (bytes: Buffer): Buffer =>
    BEGINS_WITH_HEADER.test(bytes.toString('latin1', 0, BEGINNING))
      ? bytes
      : Buffer.concat([LINE_END, bytes]);
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    if (beginning === null) {
      yield chunk;
      continue;
    }
    beginning = Buffer.concat([beginning, chunk]);
    if (beginning.length < BEGINNING) continue;
    yield begun(beginning);
    beginning = null;
  }
  if (beginning !== null) yield begun(beginning);
}

function traceOf(app: Services, { sender, recipients }: Envelope, { address, name, secure }: Peer): string {
  const helo = name.replace(/[^\w.:[\]-]/g, '').slice(0, 255) || 'unknown';
  const to = recipients.length === 1 ? `\r\n\tfor <${recipients[0]}>` : '';
  const id = randomBytes(8).toString('hex');
  return (
    `Return-Path: <${sender}>\r\n` +
    `Received: from ${helo} ([${address}])\r\n\tby ${app.settings.mailDomain} (Holdall) with ${secure ? 'ESMTPS' : 'ESMTP'} id ${id}${to};\r\n` +
    `\t${new Date().toUTCString().replace('GMT', '+0000')}\r\n`
  );
}

async function take(app: Services, staged: StagedBlob, envelope: Envelope, peer: Peer): Promise<SmtpVerdict> {
  const bytes = staged.content ?? (await readFile(staged.path));
  const read = await app.mail.inbound.readMessage(bytes, envelope);
  if ((read.headers.Received ?? '').split('\n').length > MAX_HOPS) return 'loop';
  const authentication = await app.mail.authenticate(bytes, envelope, peer);
  const mail = { ...read, authentication };
  const { stored, full, joined } = await takeArrival(app, { mail, original: staged, counted: true });
  if (stored + joined > 0) return 'accepted';
  return full > 0 ? 'full' : 'unknown';
}

/** Runs what gives an answer; what fails is one too. */
async function answering(app: Services, work: () => Promise<SmtpVerdict>): Promise<SmtpVerdict> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BlobTooLarge) return 'too-large';
    if (error instanceof InboundRefused) return 'unknown';
    if (error instanceof DomainError && error.reason === 'TOO_MANY_REQUESTS') return 'too-much';
    app.log.warn({ err: error }, 'a mail could not be taken by SMTP now');
    return 'away';
  }
}

/** Runs at most `limit` pieces of work at once; the others wait. */
function turns(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      // The next one takes over this turn.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
