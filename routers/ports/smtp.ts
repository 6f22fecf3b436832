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

/** The receiving side of the domain. Neither throws. */
export interface SmtpReceiver {
  /** Whether mail to this address would be taken from a sender, "" for bounces. */
  recipient(address: string, sender: string, peer: Peer): Promise<SmtpVerdict>;
  /** Takes a message; `accepted` once it is durable. Reads the stream to its end unless something fails. */
  message(source: Readable, envelope: Envelope, peer: Peer): Promise<SmtpVerdict>;
}
