import { createHash } from 'node:crypto';
import {
  type InboundAttachment,
  type InboundMail,
  InboundRefused,
} from '../../../../routers/base/ports/mail/mail.js';
import { cutName, cutText } from '../../../../routers/base/text/cut.js';
import { inPieces } from '../../../../routers/base/text/pieces.js';
import { type Person, peopleIn, written } from './people.js';
import { decodeWords, extensionOf } from './words.js';

/** Names and values in the order received. */
export type MailHeaders = readonly (readonly [name: string, value: string])[];

/** A mail as read from one of the inbound forms; "" and no people mean missing values. */
export interface SpelledMail {
  readonly messageId: string;
  readonly recipients: readonly Person[];
  readonly sender: readonly Person[];
  readonly from: readonly Person[];
  readonly to: readonly Person[];
  readonly cc: readonly Person[];
  readonly replyTo: readonly Person[];
  /** As sent: encoded words are decoded here. */
  readonly subject: string;
  readonly date: string;
  readonly text: string;
  readonly html: string;
  /** As sent, like the subject. */
  readonly headers: MailHeaders;
  readonly attachments: readonly InboundAttachment[];
  readonly truncated: boolean;
}

const MAX_HEADER_LENGTH = 16 * 1024;
const MAX_HEADERS = 1000;
/** For all headers together, in characters. */
const MAX_HEADERS_LENGTH = 256 * 1024;
const MAX_ATTACHMENTS = 200;
/** In bytes, the maximum length of a header line. */
const MAX_ID_LENGTH = 998;

/**
 * Converts a mail to one common form: text that every database can store, separate addresses, always a Message-Id.
 * `truncated` says that something was over the limits above. Throws `InboundRefused` if the mail has no recipient.
 */
export function normalise(mail: SpelledMail): InboundMail {
  const recipients = mail.recipients.map(({ address }) => plainAddress(address));
  if (recipients.length === 0) throw new InboundRefused('malformed', 'The mail has no recipient');
  const headers = collect(mail.headers);
  const subject = line(decodeWords(mail.subject));
  return {
    messageId: bareMessageId(mail.messageId) ?? derivedId(mail),
    recipients: [...new Set(recipients)],
    sender: line(mail.sender[0]?.address ?? ''),
    from: shown(mail.from).join(', '),
    to: shown(mail.to),
    cc: shown(mail.cc),
    replyTo: shown(mail.replyTo),
    subject,
    date: readDate(mail.date),
    text: clean(mail.text),
    html: mail.html.trim() === '' ? null : clean(mail.html),
    headers: headers.found,
    authentication: null,
    truncated:
      mail.truncated ||
      headers.cut ||
      mail.subject.length > MAX_HEADER_LENGTH ||
      mail.attachments.length > MAX_ATTACHMENTS,
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

/** An address as mailboxes have it: in lower case, without the dot that a domain may end with. */
const plainAddress = (address: string): string =>
  line(address)
    .toLowerCase()
    .replace(/\.{1,2}$/, '');

/** The addresses in a header or list, as mailboxes have them. */
export const addresses = (header: string): string[] =>
  peopleIn(header).map(({ address }) => plainAddress(address));

const shown = (people: readonly Person[]): string[] => people.map((person) => line(written(person)));

/** The same mail without a Message-Id always gets the same ID, so that duplicates are found. */
function derivedId(mail: SpelledMail): string {
  const parts = [
    shown(mail.sender).join(),
    shown(mail.from).join(),
    shown(mail.to).join(),
    mail.date,
    mail.subject,
    mail.text,
    mail.html,
  ];
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `${hash.slice(0, 32)}@without-message-id`;
}

/** Text without NUL and unpaired surrogates, which databases refuse. */
function clean(text: string): string {
  return inPieces(text, (piece) => piece.replaceAll('\0', '')).toWellFormed();
}

function line(text: string): string {
  return clean(cutText(text, MAX_HEADER_LENGTH))
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** A zone at the end of a date: an offset, UTC, or letters that stand for one (RFC 5322), perhaps with a comment. */
const ZONE = /(?:[+-]\d{2}:?\d{2}|Z|(?![AP]M)[A-Z]{2,5})(?:\s*\([^()]*\))?$/i;

/** Epoch milliseconds of a date; one without a zone is UTC. Null if it is none. */
function readDate(text: string): number | null {
  const given = text.slice(0, 100).trim();
  const zoned = ZONE.test(given) || /^\d{4}-\d{2}-\d{2}$/.test(given);
  const time = Date.parse(zoned ? given : isoLike(given) ? `${given}Z` : `${given} UTC`);
  return time >= 0 && time < Date.UTC(10_000, 0) ? time : null;
}

const isoLike = (text: string): boolean => /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text);

/** Headers by name. For names that differ in case, the first spelling is kept and values are joined. */
function collect(headers: MailHeaders): { readonly found: Record<string, string>; readonly cut: boolean } {
  const found = new Map<string, [string, string]>();
  let length = 0;
  let cut = headers.length > MAX_HEADERS;
  for (const [name, value] of headers.slice(0, MAX_HEADERS)) {
    length += name.length + value.length;
    cut ||= value.length > MAX_HEADER_LENGTH || length > MAX_HEADERS_LENGTH;
    if (length > MAX_HEADERS_LENGTH) break;
    const shownValue = line(decodeWords(value));
    const known = found.get(name.toLowerCase());
    if (known === undefined) found.set(name.toLowerCase(), [line(name), shownValue]);
    else known[1] = `${known[1]}\n${shownValue}`;
  }
  return { found: Object.fromEntries(found.values()), cut };
}

function plainAttachment(attachment: InboundAttachment, index: number): InboundAttachment {
  const given = cutName(line(attachment.filename).split(/[\\/]/).at(-1) ?? '', 255);
  const [type = 'application/octet-stream'] = /^[\w.+-]+\/[\w.+-]+/.exec(attachment.contentType) ?? [];
  const contentType = type.toLowerCase();
  const isNameless = given === '' || /^\.+$/.test(given);
  return {
    ...attachment,
    filename: isNameless ? `attachment-${index + 1}.${extensionOf(contentType)}` : given,
    contentType,
    contentId: attachment.contentId === null ? null : plainContentId(attachment.contentId),
  };
}

const plainContentId = (text: string): string | null =>
  cutText(
    line(text)
      .replace(/^<(.*)>$/, '$1')
      .trim(),
    MAX_ID_LENGTH,
  ) || null;
