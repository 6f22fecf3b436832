/** What the domain answers to servers that deliver mail by SMTP. Called by `server/drivers/mail/smtp-in/`. */
import type { Readable } from 'node:stream';
import type { Envelope } from './mail.js';

/** Who delivers. */
export interface Peer {
  /** Its IP address. */
  readonly address: string;
  /** What it calls itself. */
  readonly name: string;
  /** Whether the connection is encrypted. */
  readonly secure: boolean;
  /** Whether it is a relay of our own, to which no limit applies. */
  readonly trusted: boolean;
  /** The address of the test inbox that it has signed in to: whatever it sends is kept there. Null for servers. */
  readonly sandbox: string | null;
}

/** What a client announces before its recipients. */
export interface Announced {
  /** "" for bounces. */
  readonly sender: string;
  /** Of the message in bytes; 0 if it did not say. */
  readonly size: number;
}

/** What a recipient or a message is answered with; `accepted` is a promise. */
export type SmtpVerdict =
  | 'accepted'
  /** No mailbox has this address. */
  | 'unknown'
  /** The mailbox is closed, suspended or expired. */
  | 'closed'
  /** The address is not of one of our domains. */
  | 'foreign'
  | 'full'
  | 'too-large'
  /** The message goes round in circles. */
  | 'loop'
  /** The peer, or everybody, has sent too much; later there is room. */
  | 'too-much'
  /** Something of ours is away. */
  | 'away';

/** The answer to credentials. */
export type SignedIn =
  | { readonly verdict: 'accepted'; readonly sandbox: string }
  | { readonly verdict: 'wrong' | 'too-much' | 'away' };

/** The receiving side of the domain. None of these throws. */
export interface SmtpReceiver {
  /** The address of the test inbox that these credentials belong to, or why there is none. */
  signIn(username: string, password: string, peer: Peer): Promise<SignedIn>;
  /** Whether such a mail to this address would be taken. */
  recipient(address: string, announced: Announced, peer: Peer): Promise<SmtpVerdict>;
  /** Takes a message; `accepted` once it is durable. Reads the stream to its end unless something fails. */
  message(source: Readable, envelope: Envelope, peer: Peer): Promise<SmtpVerdict>;
  readonly figures: SmtpFigures;
}

/** What becomes of mails here, since the start of the process. */
export interface SmtpFigures {
  /** Mails that have come whole and are not stored yet. */
  readonly pending: Readonly<Record<PendingState, number>>;
  /** Recipients and messages that were refused. */
  readonly refused: Readonly<Partial<Record<SmtpVerdict, number>>>;
}

/** What a mail waits for: answers about its sender, its turn, or to be read and stored. */
export type PendingState = 'checking' | 'waiting' | 'reading';
