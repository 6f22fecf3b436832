/** What the domain needs to send and receive mail. Implemented in `server/drivers/mail/`. */

import type { MailContent } from '../../../../db/mail/mail-message.js';

/** Maximum size of one attachment. */
export const ATTACHMENT_BYTES = 32 * 1024 * 1024;

/** A mail ready to be sent. Addresses are checked by the drivers; headers cannot be injected. */
export interface OutgoingMail {
  readonly from?: string;
  /** Everybody it is for, as its header says. */
  readonly to: string;
  /** Who gets it by this job; null or absent for everybody. */
  readonly recipient?: string;
  /** Without angle brackets; absent in mails that were queued before it was made once. */
  readonly messageId?: string;
  /** What reports name this copy by, if it is not the Message-Id. */
  readonly envelopeId?: string;
  /** Epoch milliseconds of its `Date`. */
  readonly sentAt?: number;
  /** Set if what becomes of it is remembered for the account that sends it. */
  readonly sendingId?: number;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
  /** Further headers, of those that `check.ts` lets pass. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Held in memory; a job with them makes them when it runs. */
  readonly attachments?: readonly OutgoingAttachment[];
}

/** A file that goes with a mail. */
export interface OutgoingAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
  /** Set if the HTML shows it. */
  readonly contentId: string | null;
}

/**
 * Hands one mail over for delivery; throws on failure, so that the queue retries it: `MailDeferred` with what a server
 * said about the mail, any other error if none said anything.
 */
export interface MailTransport {
  /** Through what it sends, as administrators read it; null if mail is only written to files. */
  readonly label: string | null;
  send(mail: OutgoingMail): Promise<void>;
}

/**
 * The mail can never be sent: a bad address, or a recipient that the server rejects permanently. `message` says why, if
 * a server did in its words, and may be shown. A retry is pointless; every other error of `MailTransport.send` may be
 * temporary.
 */
export class MailRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MailRefused';
  }
}

/** A server does not take the mail now; `message` is what it said, and may be shown. */
export class MailDeferred extends Error {
  constructor(answer: string) {
    super(answer);
    this.name = 'MailDeferred';
  }
}

/**
 * The plain addresses of the sender and the recipients. Throws `MailRefused` for a mail that no driver of
 * `MailTransport` would send.
 */
export type CheckMail = (mail: OutgoingMail) => {
  readonly sender: string;
  readonly recipients: readonly string[];
};

/** Where the bytes of an attachment are. */
type AttachmentContent =
  /** In the multipart part of the request with this name. */
  | { readonly kind: 'part'; readonly field: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** At the provider; read with `MailStore.fetchAttachment`. */
  | { readonly kind: 'stored'; readonly url: string };

/** An attachment of a mail that arrives, before its content is read. */
export interface InboundAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** In bytes; null if unknown before the content is read. */
  readonly size: number | null;
  readonly content: AttachmentContent;
  /** What `cid:` addresses in the HTML name; without angle brackets. */
  readonly contentId: string | null;
  readonly disposition: 'inline' | 'attachment' | null;
}

/** A file in a message. */
export interface EnclosedFile {
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** A file in a whole message that is none of the attachments of its mail; `shown` if it is a part of its text. */
export interface UnlistedFile extends EnclosedFile {
  readonly shown: boolean;
}

/** A received mail, in the same form whichever way it arrived. All text is free of NUL; `html` is not sanitised. */
export interface InboundMail extends Omit<MailContent, 'blocked' | 'deliveredTo'> {
  /** Without angle brackets; if missing, derived from the mail's content, so that repeats are still detected. */
  readonly messageId: string;
  /** Addresses the mail was delivered to, lower-case, without duplicates. */
  readonly recipients: readonly string[];
  readonly attachments: readonly InboundAttachment[];
  /** Absent for a mail that came in fields, all of whose files are attachments. */
  readonly unlisted?: readonly UnlistedFile[];
}

/** Bytes, or the path of the file that has them. */
export type MessageSource = Buffer | string;

/** A file part of the request. */
export interface InboundPart {
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly source: MessageSource;
}

/** The body of a request: the fields of a form or of an object, and files. */
export interface InboundForm {
  readonly fields: Readonly<Record<string, unknown>>;
  /** The JSON of a large object, instead of its fields. */
  readonly object?: MessageSource;
  readonly parts: readonly InboundPart[];
}

/** A mail, and a token that must be accepted only once; the caller records it together with the message. */
export interface ReceivedMail {
  readonly mail: InboundMail;
  /** The message as it came; null if it came in fields. */
  readonly original: Buffer | null;
  readonly token: string | null;
  /** It is too late for its token, unless the mail was refused for now when it came in time. */
  readonly late: boolean;
}

/** Who sent a mail and who gets it, as the servers on its way know them. */
export interface Envelope {
  /** "" for bounces. */
  readonly sender: string;
  readonly recipients: readonly string[];
}

/** Reads inbound mail in the forms of the configured senders, and verifies its origin. */
export interface InboundMailReader {
  /**
   * Throws `InboundRefused` if no body could be accepted: if the secret in the header (`X-Email-Token`) is wrong, or if
   * there is none (null) and no form is configured that proves its origin in another way.
   */
  admit(secret: string | null): void;
  /** Reads a request with its secret. Throws `InboundRefused`, and UNAVAILABLE if there is too much to read now. */
  read(form: InboundForm, secret: string | null): Promise<ReceivedMail>;
  /**
   * Reads a whole message (RFC 5322). Files whose SHA-256 is among `withheld` are attachments, and no part of the text.
   * Throws `InboundRefused` if its envelope names no recipient.
   */
  readMessage(
    message: MessageSource,
    envelope: Envelope,
    withheld?: ReadonlySet<string>,
  ): Promise<InboundMail>;
  /** All files in a whole message, but not those in messages that it encloses; `cut` if there are more. */
  filesIn(message: Buffer): Promise<{ readonly files: readonly EnclosedFile[]; readonly cut: boolean }>;
}

/**
 * An inbound mail was refused: `forged` (401, also if the form is not configured), `stale` (406, signed too
 * long ago), `malformed` (400). `message` may be shown.
 */
export class InboundRefused extends Error {
  constructor(
    readonly reason: 'forged' | 'stale' | 'malformed',
    message: string,
  ) {
    super(message);
    this.name = 'InboundRefused';
  }
}

/** A mail stored at the provider. */
export interface StoredNotice {
  readonly messageId: string;
  /** Lower-case. */
  readonly recipients: readonly string[];
  /** Epoch milliseconds. */
  readonly storedAt: number;
  readonly url: string;
}

/** Mails stored at the provider. Calls throw `ProviderRefused` or `ProviderDown` of `provider.ts`. */
export interface MailStore {
  /**
   * Mails stored since a time (epoch milliseconds), oldest first. Starts earlier, because entries appear
   * late, so known ones are repeated. Everything up to `coveredUntil` is listed; the rest is for the next
   * call.
   */
  list(since: number): Promise<{ readonly notices: readonly StoredNotice[]; readonly coveredUntil: number }>;
  /** Null if the provider has deleted it meanwhile. */
  fetch(notice: StoredNotice): Promise<InboundMail | null>;
  /** Null if the provider has deleted it meanwhile. */
  fetchAttachment(url: string): Promise<Buffer | null>;
}
