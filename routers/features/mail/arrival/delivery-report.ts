import type { RecipientState } from '../../../../db/mail/mail-sending.js';
import { cutText } from '../../../base/text/cut.js';
import { inEnvelopeId, marksIn } from '../../../core/mail/mark.js';
import { headerIn } from '../threading.js';

/** What a mail says about the delivery of another. */
export interface DeliveryReport {
  /** The Message-Ids of the mails that it may be about. */
  readonly messageIds: readonly string[];
  /** Of the copies that it returns (`mark.ts`). */
  readonly marks: readonly string[];
  /** What it says of single recipients; empty if it does not say it in a form of its own. */
  readonly recipients: readonly ReportedRecipient[];
  /** What it says in words, for reports that only people are meant to read. */
  readonly words: { readonly text: string; readonly state: RecipientState };
}

/** What a report says of a recipient. */
export interface ReportedRecipient {
  /** In lower case: the one that it was sent to, and the one that it came to in the end. */
  readonly addresses: readonly string[];
  readonly state: RecipientState;
  readonly answer: string | null;
}

/** What a mail says, as far as reports are concerned. */
interface SaidMail {
  readonly sender: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const MAX_LENGTH = 64 * 1024;
const MAX_LINES = 2_000;
const MAX_RECIPIENTS = 100;
const MAX_IDS = 50;
const MAX_ANSWER = 300;
const MESSAGE_ID = /<([^<>@\s]{1,250}@[^<>@\s]{1,250})>/g;

/** Whether a mail says that another could not be delivered: not every way in tells that its envelope has no sender. */
export const isBounce = ({ from, headers }: Pick<SaidMail, 'from' | 'headers'>): boolean =>
  /(?:^|<)(?:mailer-daemon|postmaster)@/i.test(from) ||
  /^\s*<>\s*$/.test(headerIn(headers, 'return-path')) ||
  /^\s*multipart\/report\b/i.test(headerIn(headers, 'content-type'));

/**
 * Reads a report: one in the form of RFC 3464, or one that only people can read, as many servers still send it.
 * `enclosed` are the texts of what comes with it: the form, and the mail that it is about. Null for other mails.
 */
export function reportIn(mail: SaidMail, enclosed: readonly string[]): DeliveryReport | null {
  if (mail.sender !== '' && !isBounce(mail)) return null;
  // What is enclosed may have any bytes.
  const texts = [mail.text, ...enclosed].map((text) =>
    cutText(text, MAX_LENGTH).replaceAll('\u0000', '').toWellFormed(),
  );
  const groups = texts.flatMap(groupsIn);
  const recipients = groups.flatMap(recipientIn).slice(0, MAX_RECIPIENTS);
  const failed = headerIn(mail.headers, 'x-failed-recipients');
  // An absence note has no sender in its envelope, either.
  if (recipients.length === 0 && failed === '' && !speaksOfFailure(mail)) return null;
  const envelopes = groups
    .map((group) => decoded(group.get('original-envelope-id') ?? ''))
    .filter(Boolean)
    .map(inEnvelopeId);
  const named = ['references', 'in-reply-to'].map((name) => headerIn(mail.headers, name));
  const ids = [...texts, ...named].flatMap((text) => [...text.matchAll(MESSAGE_ID)].map(([, id = '']) => id));
  return {
    messageIds: [...new Set([...envelopes.map(({ messageId }) => messageId), ...ids])].slice(0, MAX_IDS),
    marks: [...new Set([...envelopes.flatMap(({ mark }) => mark ?? []), ...texts.flatMap(marksIn)])].slice(
      0,
      MAX_RECIPIENTS,
    ),
    recipients: recipients.length > 0 ? recipients : listed(failed, texts[0] ?? ''),
    words: {
      text: beforeCopy(texts[0] ?? ''),
      state: /delay|warning/i.test(mail.subject) ? 'DELAYED' : 'FAILED',
    },
  };
}

const speaksOfFailure = ({ from, subject, text }: SaidMail): boolean =>
  /(?:^|<)(?:mailer-daemon|postmaster)@|mail(?:er| delivery)/i.test(from) &&
  (/undeliver|deliver|return|fail|bounce|warning/i.test(subject) ||
    [ANSWER, STATUS].some((known) => known.test(text.slice(0, MAX_LENGTH))));

/** Fields between two empty lines, by name in lower case. Only those that reports have. */
function groupsIn(text: string): ReadonlyMap<string, string>[] {
  const groups: Map<string, string>[] = [];
  let group = new Map<string, string>();
  let last: string | null = null;
  for (const line of text.split('\n', MAX_LINES)) {
    const [, name, value] = FIELD.exec(line) ?? [];
    if (line.trim() === '') {
      groups.push(group);
      group = new Map();
      last = null;
    } else if (name !== undefined && value !== undefined) {
      last = name.toLowerCase();
      group.set(last, value.trim());
    } else if (last !== null && /^[ \t]/.test(line)) {
      group.set(last, `${group.get(last)} ${line.trim()}`);
    } else last = null;
  }
  return [...groups, group].filter(({ size }) => size > 0);
}

const FIELD =
  /^(final-recipient|original-recipient|original-envelope-id|action|status|diagnostic-code)[ \t]*:(.{0,2000})/i;

const STATES: Readonly<Record<string, RecipientState>> = {
  failed: 'FAILED',
  delayed: 'DELAYED',
  delivered: 'DELIVERED',
};

function recipientIn(group: ReadonlyMap<string, string>): ReportedRecipient[] {
  const addresses = ['original-recipient', 'final-recipient'].flatMap((name) => {
    const given = group.get(name);
    return given === undefined ? [] : [addressIn(given)];
  });
  if (addresses.length === 0) return [];
  const action = group.get('action')?.toLowerCase().split(/\s/)[0] ?? '';
  const status = /[245]\.\d{1,3}\.\d{1,3}/.exec(group.get('status') ?? '')?.[0] ?? '';
  const byStatus = { 2: 'delivered', 4: 'delayed', 5: 'failed' }[status[0] ?? ''] ?? '';
  const state = STATES[action === '' ? byStatus : action];
  if (state === undefined) return [];
  const said = (group.get('diagnostic-code') ?? '').replace(/^[\w-]{1,40}\s*;/, '');
  return [{ addresses: [...new Set(addresses)], state, answer: answerOf(said) ?? answerOf(status) }];
}

/** The address in `rfc822; ada@example.org`. */
function addressIn(value: string): string {
  const bare = value
    .replace(/^[\w-]{1,40}\s*;/, '')
    .trim()
    .replace(/^<(.*)>$/, '$1');
  return decoded(bare).toLowerCase();
}

/** Text with the escapes of RFC 3461, `+2B`. A plus that is no escape is one. */
const decoded = (text: string): string =>
  text
    .trim()
    .replace(/\+([0-9A-F]{2})/g, (whole, hex) =>
      /^(?:2B|3D)$/.test(hex) ? String.fromCharCode(Number.parseInt(hex, 16)) : whole,
    );

/** The recipients in a header, with the answer that the text has. */
function listed(header: string, text: string): ReportedRecipient[] {
  const addresses = header.toLowerCase().match(/[^\s<>,;:"()@]{1,64}@[^\s<>,;:"()@]{1,253}/g) ?? [];
  return addresses
    .slice(0, MAX_RECIPIENTS)
    .map((address) => ({ addresses: [address], state: 'FAILED', answer: answerAbout(text, address) }));
}

/** An answer of a server: a status (RFC 5321), with or without that of RFC 3463. */
const ANSWER = /(?<![\d.])[45]\d\d[ -][^\r\n]{0,300}/;
const STATUS = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])/;

/** What a text says about an address behind it: an answer of a server, or the next line. */
export function answerAbout(text: string, address: string): string | null {
  const start = text.toLowerCase().indexOf(address.toLowerCase());
  const near = cutText(start < 0 ? text : text.slice(start + address.length), 2_000);
  const lines = near
    .split('\n')
    .map((line) => line.replace(/^[>:\s]+/, '').trim())
    .filter((line) => line !== '');
  const [answer] = ANSWER.exec(near) ?? [];
  return answerOf(answer ?? lines.find((line) => STATUS.test(line)) ?? lines[0] ?? '');
}

/** An answer as it is shown; null for none. */
export function answerOf(text: string): string | null {
  const plain = cutText(text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim(), MAX_ANSWER);
  return plain === '' ? null : plain;
}

/** Where servers begin the copy of a mail that they return. */
const COPY =
  /^[ \t>]{0,8}(?:-{2,40}[^\n]{0,100}(?:copy|original|returned|below this line|headers)|original message headers|(?:return-path|received|message-id|dkim-signature)[ \t]*:)/im;

function beforeCopy(text: string): string {
  const at = text.search(COPY);
  return at < 0 ? text : text.slice(0, at);
}
