import {
  type InboundForm,
  type InboundMail,
  InboundRefused,
} from '../../../../routers/base/ports/mail/mail.js';
import { attachmentsIn } from './field-attachments.js';
import { headersIn } from './field-headers.js';
import { type MimeMessage, readMessage, readPlainly } from './message.js';
import { headerOf, type MailHeaders, normalise, type SpelledMail } from './normalise.js';
import { type Person, peopleIn, peopleOf } from './people.js';
import { MESSAGE_FIELDS, wholeMessageIn } from './whole-message.js';

/** A mail, and the message as it came if it came whole. */
export interface ReadMail {
  readonly mail: InboundMail;
  readonly original: Buffer | null;
}

type Fields = InboundForm['fields'];

/** The names that providers, libraries and scripts give to what a mail consists of; the first that is there counts. */
const NAMES = {
  messageId: ['messageId', 'message-id', 'Message-Id', 'message_id'],
  recipients: ['recipients', 'recipient', 'rcptTo'],
  sender: ['sender', 'mailFrom'],
  from: ['from', 'From'],
  to: ['to', 'To'],
  cc: ['cc', 'Cc'],
  replyTo: ['replyTo', 'reply-to', 'Reply-To', 'reply_to'],
  subject: ['subject', 'Subject'],
  date: ['date', 'Date'],
  text: [
    'text',
    'content',
    'body-plain',
    'plain',
    'text_body',
    'textBody',
    'bodyText',
    'TextBody',
    'stripped-text',
    'body',
  ],
  html: ['html', 'body-html', 'html_body', 'htmlBody', 'bodyHtml', 'HtmlBody', 'stripped-html'],
  headers: ['headers', 'message-headers', 'headerLines'],
  attachments: ['attachments'],
} as const;
type Name = keyof typeof NAMES;

/** What a mail without a text has at least one of. */
const ENVELOPE_OR_HEADERS: readonly Name[] = ['from', 'sender', 'subject', 'headers', 'messageId'];

/**
 * Reads a mail from the fields of a form or an object, whoever made it: with its texts and headers in fields of their
 * own, or with the whole message in one. `stored`: its sender stores attachments and names their addresses, and what
 * is damaged in its forms cannot be sent again. `plain`: a whole message is not taken apart. Throws `InboundRefused` for
 * what cannot be understood.
 */
export async function readFields(form: InboundForm, stored: boolean, plain = false): Promise<ReadMail> {
  const whole = await wholeMessageIn(form);
  if (whole !== null) {
    const message = await (plain ? readPlainly(whole) : readMessage(whole));
    return { mail: readWhole(form.fields, message), original: whole };
  }
  if (!stored) requireContent(form);
  return { mail: normalise(spelled(form, stored)), original: null };
}

/** A whole message with its envelope. */
function readWhole(fields: Fields, message: MimeMessage): InboundMail {
  const header = (name: string) => headerOf(message.headers, name) ?? '';
  const { from, to } = envelopeOf(fields);
  return fromMessage(message, {
    recipients: some(to, () => [
      ...peopleIn(header('delivered-to')),
      ...peopleIn(header('x-original-to')),
      ...peopleIn(header('to')),
      ...peopleIn(header('cc')),
    ]),
    sender: some(from, () => peopleIn(header('return-path'))),
  });
}

/** The mail that a whole message is, for the people of its envelope. Throws `InboundRefused` if there are none. */
export function fromMessage(
  { headers, text, html, attachments, unlisted, truncated }: MimeMessage,
  { sender, recipients }: { readonly sender: readonly Person[]; readonly recipients: readonly Person[] },
): InboundMail {
  const header = (name: string) => headerOf(headers, name) ?? '';
  const mail = normalise({
    messageId: header('message-id'),
    recipients,
    sender,
    from: some(peopleIn(header('from')), () => sender),
    to: some(peopleIn(header('to')), () => (headerOf(headers, 'to') === null ? recipients : [])),
    cc: peopleIn(header('cc')),
    replyTo: peopleIn(header('reply-to')),
    subject: header('subject'),
    date: header('date'),
    text,
    html,
    headers,
    attachments: attachments.map(({ bytes, disposition, contentId, ...file }) => ({
      ...file,
      size: bytes.length,
      content: { kind: 'bytes', bytes },
      contentId: contentId === '' ? null : contentId,
      disposition: disposition === '' ? null : disposition === 'inline' ? 'inline' : 'attachment',
    })),
    truncated,
  });
  return unlisted.length === 0 ? mail : { ...mail, unlisted };
}

function spelled(form: InboundForm, stored: boolean): SpelledMail {
  const { fields } = form;
  const given = headersIn(first(fields, 'headers'));
  if (given === null && !stored) refuse('headers');
  const headers: MailHeaders = given ?? [];
  const header = (name: string) => headerOf(headers, name) ?? '';
  const { from, to } = envelopeOf(fields);
  const recipients = some(to, () => peopleIn(header('to')));
  const attachments = attachmentsIn(form, MESSAGE_FIELDS, stored);
  const html = first(fields, 'html');
  return {
    messageId: textIn(fields, 'messageId') || header('message-id'),
    recipients,
    sender: from,
    // A mail without a sender header shows the envelope sender.
    from: some(peopleAt(fields, 'from'), () => some(peopleIn(header('from')), () => from)),
    to: some(peopleAt(fields, 'to'), () => some(peopleIn(header('to')), () => recipients)),
    cc: some(peopleAt(fields, 'cc'), () => peopleIn(header('cc'))),
    replyTo: some(peopleAt(fields, 'replyTo'), () => peopleIn(header('reply-to'))),
    subject: textIn(fields, 'subject') || header('subject'),
    date: dateIn(fields) || header('date'),
    text: textIn(fields, 'text'),
    html: html === false ? '' : textIn(fields, 'html'),
    headers,
    attachments: attachments.found,
    truncated: attachments.missing || given === null,
  };
}

/** Who sent and gets it: the envelope, the fields for it, or what the mail says. */
function envelopeOf(fields: Fields): { readonly from: Person[]; readonly to: Person[] } {
  const { envelope } = fields;
  const named = (typeof envelope === 'string' ? parsed(envelope) : envelope) ?? {};
  const { from, mailFrom, to, rcptTo } = named as Record<string, unknown>;
  const people = (value: unknown, place: string) => peopleOf(value) ?? refuse(place);
  return {
    from: some(people(from ?? mailFrom, 'envelope.from'), () =>
      some(peopleAt(fields, 'sender'), () => peopleAt(fields, 'from')),
    ),
    to: some(people(to ?? rcptTo, 'envelope.to'), () =>
      some(peopleAt(fields, 'recipients'), () => peopleAt(fields, 'to')),
    ),
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** The first field of these names that has a value. */
function first(fields: Fields, name: Name): unknown {
  const values = NAMES[name].map((key) => (Object.hasOwn(fields, key) ? fields[key] : undefined));
  return values.find((value) => value !== undefined && value !== null && value !== '');
}

function textIn(fields: Fields, name: Name): string {
  const value = first(fields, name);
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  // A form may repeat a field.
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.join('\n')
    : refuse(name);
}

function dateIn(fields: Fields): string {
  const value = first(fields, 'date');
  if (typeof value !== 'number') return textIn(fields, 'date');
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

const peopleAt = (fields: Fields, name: Name): Person[] => peopleOf(first(fields, name)) ?? refuse(name);

/** These people, or others if there are none. */
const some = (people: readonly Person[], others: () => readonly Person[]): Person[] => [
  ...(people.length > 0 ? people : others()),
];

function refuse(place: string): never {
  throw new InboundRefused('malformed', `The mail cannot be read at ${place}`);
}

/** Names under which programs send what a mail says. */
const SOUNDS_LIKE_CONTENT = /body|content|message$|text|html|mime|raw|eml|source/i;

/**
 * Refuses an object in which nothing of a mail is found although there is something: its sender would take the answer
 * for the promise that it is stored.
 */
function requireContent({ fields, parts }: InboundForm): void {
  const has = (name: Name) => first(fields, name) !== undefined;
  if (parts.length > 0 || has('text') || has('html') || has('attachments')) return;
  const empty = MESSAGE_FIELDS.find((name) => fields[name] === '');
  if (empty !== undefined)
    throw new InboundRefused('malformed', `The mail cannot be read: the whole message in ${empty} is empty`);
  if (!ENVELOPE_OR_HEADERS.some(has) && !fields.envelope)
    throw new InboundRefused('malformed', 'The mail cannot be read: it has neither a sender nor any content');
  const known = new Set<string>(Object.values(NAMES).flat());
  const foreign = Object.entries(fields).find(
    ([name, value]) =>
      !known.has(name) && !/^content-/i.test(name) && SOUNDS_LIKE_CONTENT.test(name) && !isNothing(value),
  );
  if (foreign !== undefined)
    throw new InboundRefused(
      'malformed',
      `The mail cannot be read: the field ${foreign[0].slice(0, 60)} is not known. Send the text in "text", the HTML in "html", or the whole message in "raw"`,
    );
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || value === false || typeof value === 'number';
