import { rule } from '../../../routers/base/language/rules.js';
import type { OutgoingAttachment, OutgoingMail } from '../../../routers/base/ports/mail/mail.js';
import { MailRefused } from '../../../routers/base/ports/mail/mail.js';

/** A mailbox in a header. */
export interface MailAddress {
  /** Empty if the header has none. */
  readonly name: string;
  readonly address: string;
}

/** A mail whose headers are verified to be safe. Drivers accept nothing else. */
export interface CheckedMail {
  readonly from: MailAddress;
  readonly to: readonly MailAddress[];
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  /** The addresses that get it. */
  readonly recipients: readonly string[];
  /** Null if it gets a new one. */
  readonly messageId: string | null;
  /** What reports name it by; null if nobody asks. */
  readonly envelopeId: string | null;
  readonly date: Date | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly OutgoingAttachment[];
}

/** Control characters and the Unicode line separators: anything that could start a new header. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/u;
/**
 * A plain address. Quoted local parts, comments and routes are refused, because servers interpret them differently.
 */
const ADDRESS = /^[^\s<>()[\]\\,;:@"]{1,64}@(?:[^\s<>()[\]\\,;:@"]{1,253}|\[[0-9a-f:.]{2,45}\])$/iu;
/** One mailbox and its separator: `"name" <address>`, `name <address>` or `address`. */
const MAILBOX =
  /\s*(?:(?:"((?:[^"\\]|\\.)*)"\s*|([^\s"<>,;:()@][^"<>,;:()@]*)?)<([^<>]+)>|([^\s<>,;:()"]+))\s*(,|$)/y;
/** The headers that a mail may add; their values are printable ASCII. */
const HEADERS = new Set([
  'In-Reply-To',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'References',
  'Reply-To',
  'X-Holdall-Forwarded',
  'X-Holdall-Recipient',
]);
const MAX_SUBJECT_LENGTH = 900;
const MAX_HEADER_LENGTH = 4096;
const MAX_EXTRA_LENGTH = 8192;
const MAX_RECIPIENTS = 50;
const MAX_LENGTH = 5 * 1024 * 1024;

/**
 * Checks a mail in the same way for every driver; `defaultFrom` is used if there is no sender. Throws `MailRefused`
 * for anything that is not a plain address, and for control characters in addresses or subject.
 */
export function checkMail(mail: OutgoingMail, defaultFrom: string): CheckedMail {
  const [from, ...more] = readAddresses(mail.from ?? defaultFrom, 'sender');
  const to = readAddresses(mail.to, 'recipient');
  if (from === undefined || more.length > 0) throw new MailRefused('A mail must have exactly one sender');
  if (to.length > MAX_RECIPIENTS)
    throw new MailRefused(rule('A mail can have at most {max} recipients', { max: MAX_RECIPIENTS }));
  if (UNSAFE.test(mail.subject) || mail.subject.length > MAX_SUBJECT_LENGTH) {
    throw new MailRefused('The subject is too long or contains control characters');
  }
  if (mail.text.length + (mail.html?.length ?? 0) > MAX_LENGTH) throw new MailRefused('The mail is too long');
  const { headers = {}, attachments = [] } = mail;
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADERS.has(name) || !/^[ -~]+$/.test(value) || value.length > MAX_EXTRA_LENGTH)
      throw new MailRefused(`The header ${name} is not one that a mail may have`);
  }
  const everybody = [...new Set(to.map(({ address }) => address))];
  return {
    from,
    to,
    subject: mail.subject,
    text: mail.text,
    html: mail.html ?? null,
    headers,
    attachments,
    recipients: mail.recipient === undefined ? everybody : [mail.recipient],
    messageId: mail.messageId ?? null,
    envelopeId: mail.envelopeId ?? mail.messageId ?? null,
    date: mail.sentAt === undefined ? null : new Date(mail.sentAt),
  };
}

/**
 * Parses a header like `"Lovelace, Ada" <ada@example.org>, bob@example.org`. Strict where mail libraries guess,
 * because a wrong guess could send the mail to somebody else. Throws `MailRefused`.
 */
function readAddresses(header: string, what: 'sender' | 'recipient'): MailAddress[] {
  if (UNSAFE.test(header) || header.length > MAX_HEADER_LENGTH) {
    throw new MailRefused(
      what === 'sender'
        ? 'The sender is too long or contains control characters'
        : 'The recipient is too long or contains control characters',
    );
  }
  const found: MailAddress[] = [];
  for (let at = 0, end = ','; end === ','; ) {
    MAILBOX.lastIndex = at;
    const [whole = '', quoted, plain, inner, bare, stop = ''] = MAILBOX.exec(header) ?? [];
    const address = inner ?? bare ?? '';
    if (!ADDRESS.test(address))
      throw new MailRefused(
        what === 'sender'
          ? 'The sender is not a plain e-mail address'
          : 'The recipient is not a plain e-mail address',
      );
    found.push({ name: (quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '').trim(), address });
    at += whole.length;
    end = stop;
  }
  return found;
}

/** Parses `MAIL_FROM`: one address, with or without a name. Throws an `Error` that explains the format. */
export function readSender(text: string): MailAddress {
  try {
    const [sender, ...more] = readAddresses(text, 'sender');
    if (sender !== undefined && more.length === 0) return sender;
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
  }
  throw new Error('must be one address like a@example.org or "Name, if any" <a@example.org>');
}
