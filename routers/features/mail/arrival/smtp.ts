import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { destinations } from '../../../../db/mail/mail-destination.js';
import { type MailAuthentication, mailboxUsage } from '../../../../db/mail/mail-message.js';
import { hasSent } from '../../../../db/mail/mail-sending.js';
import { DomainError } from '../../../base/errors.js';
import { type Envelope, InboundRefused } from '../../../base/ports/mail/mail.js';
import type {
  Announced,
  Peer,
  PendingState,
  SignedIn,
  SmtpReceiver,
  SmtpVerdict,
} from '../../../base/ports/mail/smtp.js';
import { BlobTooLarge, type StagedBlob } from '../../../base/ports/storage.js';
import { createConcurrencyLimit } from '../../../base/turns.js';
import type { Services } from '../../../core/context.js';
import { isFull } from '../bounds.js';
import { signInToSend } from '../sandbox.js';
import { takeArrival } from './arrival.js';

/** Messages are read from memory: so many at once, while the others wait in the staging area. */
const READ_AT_ONCE = 2;
/** A message that has passed so many servers goes round in circles. */
const MAX_HOPS = 50;

/** Receives mail by SMTP; a message has at most `maxBytes`. */
export function smtpReceiver(app: Services, maxBytes: number): SmtpReceiver {
  const inTurn = createConcurrencyLimit({ atOnce: READ_AT_ONCE, waiting: Number.POSITIVE_INFINITY });
  const pending: Record<PendingState, number> = { checking: 0, waiting: 0, reading: 0 };
  const refused: Partial<Record<SmtpVerdict, number>> = {};
  const during = async <T>(state: PendingState, work: () => Promise<T>): Promise<T> => {
    pending[state] += 1;
    try {
      return await work();
    } finally {
      pending[state] -= 1;
    }
  };
  const counting = async (work: () => Promise<SmtpVerdict>): Promise<SmtpVerdict> => {
    const verdict = await answering(app, work);
    if (verdict !== 'accepted') refused[verdict] = (refused[verdict] ?? 0) + 1;
    return verdict;
  };
  return {
    figures: { pending, refused },
    signIn: (username, password, peer) => signIn(app, username, password, peer),
    recipient: (address, announced, peer) => counting(() => recipient(app, address, announced, peer)),
    message: (source, envelope, peer) =>
      counting(async () => {
        const staged = await stage(app, source, envelope, peer, maxBytes);
        try {
          const bytes = staged.content ?? staged.path;
          // Before its turn: servers that do not answer would keep everybody's mail.
          const authentication =
            peer.sandbox === null
              ? await during('checking', () => app.mail.authenticate(bytes, envelope, peer))
              : null;
          pending.waiting += 1;
          return await inTurn(() => {
            pending.waiting -= 1;
            return during('reading', () => take(app, staged, envelope, authentication, peer));
          });
        } finally {
          await staged.discard();
        }
      }),
  };
}

async function recipient(
  app: Services,
  given: string,
  { sender, size }: Announced,
  peer: Peer,
): Promise<SmtpVerdict> {
  // Whoever it is for, it stays here.
  if (peer.sandbox !== null) return destinationOf(app, peer.sandbox, size);
  const address = given.toLowerCase().replace(/\.$/, '');
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (!app.settings.mailDomains.includes(domain)) return 'foreign';
  const verdict = await destinationOf(app, address, size);
  // A report on a mail from this address is joined with that mail, whether or not it is stored.
  if (verdict === 'accepted' || (sender === '' && (await hasSent(app.db.read, address)))) return 'accepted';
  // Whoever tries names is answered later and later.
  if (verdict === 'unknown' && !peer.trusted) await app.limits.rates.take('smtpUnknown', peer.address);
  return verdict;
}

async function destinationOf(app: Services, address: string, size: number): Promise<SmtpVerdict> {
  const [found] = await destinations(app.db, [address], Date.now());
  if (found === undefined || found.state === 'unknown') return 'unknown';
  if (found.state !== 'open') return 'closed';
  const usage = await mailboxUsage(app.db.read, found.mailbox.id);
  return isFull(found.mailbox, usage, size) ? 'full' : 'accepted';
}

/** The message in the staging area, behind the line that says how it came (RFC 5321 §4.4). */
async function stage(
  app: Services,
  source: Readable,
  envelope: Envelope,
  peer: Peer,
  maxBytes: number,
): Promise<StagedBlob> {
  // What is sent into a test inbox counts for the inbox.
  if (!peer.trusted && peer.sandbox === null) await app.limits.rates.take('smtp', peer.address);
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

async function take(
  app: Services,
  staged: StagedBlob,
  envelope: Envelope,
  authentication: MailAuthentication | null,
  { sandbox, trusted }: Peer,
): Promise<SmtpVerdict> {
  const recipients = sandbox === null ? envelope.recipients : [sandbox];
  const read = await app.mail.inbound.readMessage(staged.content ?? staged.path, { ...envelope, recipients });
  if ((read.headers.Received ?? '').split('\n').length > MAX_HOPS) return 'loop';
  const mail = { ...read, authentication };
  const arrival = { mail, original: staged, counted: sandbox !== null || !trusted };
  const { stored, full, joined } = await takeArrival(
    app,
    sandbox === null ? arrival : { ...arrival, sentTo: envelope.recipients },
  );
  if (stored + joined > 0) return 'accepted';
  return full > 0 ? 'full' : 'unknown';
}

async function signIn(app: Services, username: string, password: string, peer: Peer): Promise<SignedIn> {
  let sandbox: string | null = null;
  const verdict = await answering(app, async () => {
    sandbox = await signInToSend(app, username, password, peer);
    return 'accepted';
  });
  if (sandbox !== null) return { verdict: 'accepted', sandbox };
  return { verdict: verdict === 'too-much' || verdict === 'away' ? verdict : 'wrong' };
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
