import type { Readable } from 'node:stream';
import type { MailAttachment } from '../../../../db/mail/mail-attachment.js';
import type { MailAuthentication } from '../../../../db/mail/mail-message.js';
import type { I18n } from '../../language/i18n.js';
import type {
  CheckMail,
  Envelope,
  InboundMail,
  InboundMailReader,
  MailStore,
  MailTransport,
  MessageSource,
} from './mail.js';
import type { Mails } from './mail-templates.js';
import type { Peer } from './smtp.js';

/**
 * Sanitises the HTML of a mail: removes scripts, forms and style sheets, and blocks remote content (`blocked`
 * counts it; the URL is kept in `data-src`). `text` is what the result says, for clients that show only text.
 */
export type SanitiseMail = (html: string) => Promise<SanitisedMail>;

/** What `SanitiseMail` makes. */
export interface SanitisedMail {
  readonly html: string;
  readonly blocked: number;
  readonly text: string;
}

/** Checks who sent a message; null if that is not known, or nobody asks. */
export type AuthenticateMail = (
  message: MessageSource,
  envelope: Envelope,
  peer: Pick<Peer, 'address' | 'name'>,
) => Promise<MailAuthentication | null>;

/** Writes a mail that came in fields as a whole message (RFC 5322); `html` is as it came. */
export type WriteMail = (
  mail: InboundMail,
  attachments: readonly (MailAttachment & { open(): Readable })[],
) => Readable;

/** The words of HTML of any size, without building a tree; `cut` if there are more than `limit` UTF-16 units. */
export type WordsOfHtml = (
  html: string,
  limit: number,
) => Promise<{ readonly text: string; readonly cut: boolean }>;

/** How mail is written, sent, received and shown. */
export interface MailServices {
  readonly transport: MailTransport;
  /** In the name of this service. */
  templates(service: string, i18n: I18n): Mails;
  readonly check: CheckMail;
  readonly inbound: InboundMailReader;
  /** Null if the provider does not store mails. */
  readonly store: MailStore | null;
  readonly sanitise: SanitiseMail;
  readonly words: WordsOfHtml;
  readonly write: WriteMail;
  readonly authenticate: AuthenticateMail;
}
