import { createHash } from 'node:crypto';
import addressparser from 'nodemailer/lib/addressparser';
import { type InboundAttachment, type InboundMail, InboundRefused } from '../../../routers/ports/mail.js';
import { cutName, cutText } from '../../../routers/text/cut.js';

/** Names and values in the order received. */
export type MailHeaders = readonly (readonly [name: string, value: string])[];

/** A mail as read from one of the inbound forms; empty strings mean missing values. */
export interface SpelledMail {
  readonly messageId: string;
  readonly recipients: readonly string[];
  readonly sender: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
  readonly html: string;
  readonly headers: MailHeaders;
  readonly attachments: readonly InboundAttachment[];
}

const MAX_HEADER_LENGTH = 16 * 1024;
const MAX_ADDRESSES = 500;
const MAX_HEADERS = 1000;
/** For all headers together, in characters. */
const MAX_HEADERS_LENGTH = 256 * 1024;
const MAX_ATTACHMENTS = 200;
/** In bytes, the maximum length of a header line. */
const MAX_ID_LENGTH = 998;

/**
 * Converts a mail to one common form: text that every database can store, separate addresses, always a Message-Id.
 * Anything over the limits above is dropped. Throws `InboundRefused` if the mail has no recipient.
 */
export function normalise(mail: SpelledMail): InboundMail {
  const recipients = mail.recipients.flatMap(addresses).map((address) => address.toLowerCase());
  if (recipients.length === 0) throw new InboundRefused('malformed', 'The mail has no recipient');
  return {
    messageId: bareMessageId(mail.messageId) ?? derivedId(mail),
    recipients: [...new Set(recipients)],
    sender: addresses(mail.sender)[0] ?? '',
    from: mailboxes(mail.from).join(', ') || line(mail.from),
    to: mailboxes(mail.to),
    cc: mailboxes(mail.cc),
    subject: line(mail.subject),
    date: readDate(mail.date),
    text: clean(mail.text),
    html: mail.html === '' ? null : clean(mail.html),
    headers: collect(mail.headers.slice(0, MAX_HEADERS)),
    attachments: mail.attachments.slice(0, MAX_ATTACHMENTS).map(plainAttachment),
  };
}

/** The first value of a header, by case-insensitive name; null if there is none. */
export function headerOf(headers: MailHeaders, name: string): string | null {
  const wanted = name.toLowerCase();
  return headers.find(([known]) => known.toLowerCase() === wanted)?.[1] ?? null;
}

/** A Message-Id without angle brackets and spaces; null if it is not usable. */
export function bareMessageId(text: string): string | null {
  const id = clean(text)
    .replace(/[\s\p{Cc}]/gu, '')
    .replace(/^<(.*)>$/, '$1');
  return id === '' || Buffer.byteLength(id) > MAX_ID_LENGTH ? null : id;
}

/** The plain addresses in a header or list. */
export function addresses(header: string): string[] {
  return parsed(header).map(({ address }) => address);
}

function mailboxes(header: string): string[] {
  return parsed(header).map(({ name, address }) => (name === '' ? address : `${name} <${address}>`));
}

function parsed(header: string) {
  return addressparser(line(header), { flatten: true })
    .filter(({ address }) => address !== '')
    .slice(0, MAX_ADDRESSES);
}

/** The same mail without a Message-Id always gets the same ID, so that duplicates are found. */
function derivedId(mail: SpelledMail): string {
  const parts = [mail.sender, mail.from, mail.to, mail.date, mail.subject, mail.text, mail.html];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hash.slice(0, 32)}@without-message-id`;
}

/** Text without NUL and unpaired surrogates, which databases refuse. */
function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

function line(text: string): string {
  return clean(cutText(text, MAX_HEADER_LENGTH))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

function readDate(text: string): number | null {
  const time = Date.parse(text.slice(0, 100));
  return time >= 0 && time < Date.UTC(10_000, 0) ? time : null;
}

/** Headers by name. For names that differ in case, the first spelling is kept and values are joined. */
function collect(headers: MailHeaders): Record<string, string> {
  const found = new Map<string, [string, string]>();
  let length = 0;
  for (const [name, value] of headers) {
    length += name.length + value.length;
    if (length > MAX_HEADERS_LENGTH) break;
    const known = found.get(name.toLowerCase());
    if (known === undefined) found.set(name.toLowerCase(), [line(name), line(value)]);
    else known[1] = `${known[1]}\n${line(value)}`;
  }
  return Object.fromEntries(found.values());
}

function plainAttachment(attachment: InboundAttachment): InboundAttachment {
  const name = cutName(line(attachment.filename).split(/[\\/]/).at(-1) ?? '', 255);
  const [type = ''] = /^[\w.+-]+\/[\w.+-]+/.exec(attachment.contentType) ?? [];
  return {
    ...attachment,
    filename: name === '' || /^\.+$/.test(name) ? 'attachment' : name,
    contentType: type === '' ? 'application/octet-stream' : type.toLowerCase(),
  };
}
