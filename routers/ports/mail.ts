import type { MailContent } from '../../db/mail-message.js';

/** What the domain needs to send and to receive mail. `server/mail/` supplies it. */

/** A mail ready to be sent. Addresses are checked by the drivers; headers cannot be injected. */
export interface OutgoingMail {
  readonly from?: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html?: string;
}

/** Hands one mail to the outside world; throws when it could not, so that the queue tries again. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
}

/**
 * A mail can never be sent as it is: a bad address, or a recipient the server rejects for good. Trying
 * again is pointless; every other error of `MailTransport.send` may pass with time.
 */
export class MailRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'MailRefused';
  }
}

/** Throws `MailRefused` for a mail that no driver of `MailTransport` would send. */
export type CheckMail = (mail: OutgoingMail) => void;

/** Where the bytes of an attachment are. */
export type AttachmentContent =
  /** In the request's multipart part of this name. */
  | { readonly kind: 'part'; readonly field: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  /** At the provider; read with `MailStore.fetchAttachment`. */
  | { readonly kind: 'stored'; readonly url: string };

export interface InboundAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** Bytes; null when the form does not tell before the content is read. */
  readonly size: number | null;
  readonly content: AttachmentContent;
}

/** A received mail in one form, whichever way it came. All text is free of NUL; `html` is not sanitised. */
export interface InboundMail extends Omit<MailContent, 'blocked'> {
  /** Without angle brackets; derived from the mail's content when it carries none, so repeats are still found. */
  readonly messageId: string;
  /** Addresses the mail was delivered to, lower-case, without repeats. */
  readonly recipients: readonly string[];
  readonly attachments: readonly InboundAttachment[];
}

/** A file part of the request. */
export interface InboundPart {
  readonly field: string;
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
}

/** Reads the two forms of inbound mail and checks that they come from where they claim. */
export interface InboundMailReader {
  /**
   * Throws `InboundRefused` when no body could be accepted: the token of a mail worker is wrong, or without one
   * (null) no signing key is configured.
   */
  admit(workerToken: string | null): void;
  /**
   * The fields of a Mailgun route, forwarded or notified of. `token` may be accepted once; the caller
   * records it together with the message. Throws `InboundRefused`.
   */
  mailgun(
    fields: Readonly<Record<string, string | readonly string[]>>,
    parts: readonly InboundPart[],
  ): { readonly mail: InboundMail; readonly token: string };
  /** The JSON of a mail worker with its `X-Email-Token`. Throws `InboundRefused`. */
  worker(token: string | null, body: unknown): InboundMail;
}

/**
 * An inbound mail that is not taken: `forged` (401, also when the form is not configured), `stale` (406,
 * signed too long ago), `malformed` (400). `message` may be shown.
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

/** A mail the provider holds for us. */
export interface StoredNotice {
  readonly messageId: string;
  /** Lower-case. */
  readonly recipients: readonly string[];
  /** Epoch milliseconds. */
  readonly storedAt: number;
  readonly url: string;
}

/** What the provider still stores. Calls throw `ProviderRefused` or `ProviderDown` of `provider.ts`. */
export interface MailStore {
  /**
   * What was stored since (epoch milliseconds), oldest first, overlapping backwards because entries appear
   * late: known ones come again. Everything up to `coveredUntil` is listed; the rest is for the next call.
   */
  list(since: number): Promise<{ readonly notices: readonly StoredNotice[]; readonly coveredUntil: number }>;
  /** Null when the provider has deleted it meanwhile. */
  fetch(notice: StoredNotice): Promise<InboundMail | null>;
  /** Null when the provider has deleted it meanwhile. */
  fetchAttachment(url: string): Promise<Buffer | null>;
}

/**
 * Makes the HTML of a mail harmless: no scripts, forms or style sheets, and nothing remote is loaded
 * (`blocked` counts what would have been; its address waits in `data-src`).
 */
export type SanitiseMail = (html: string) => Promise<{ readonly html: string; readonly blocked: number }>;
