import type { MailMessage } from '../../../db/mail/mail-message.js';
import { cutText } from '../../base/text/cut.js';

const MAX_SUBJECT = 900;
/** Programs look at the last ones; a long thread would make a long header. */
const MAX_REFERENCES = 20;
const MESSAGE_ID = /<[^<>\s]{1,250}>/g;

/** The value of a header, whatever its case; "" if the mail has none. */
export function headerIn(headers: Readonly<Record<string, string>>, name: string): string {
  const found = Object.keys(headers).find((key) => key.toLowerCase() === name);
  return found === undefined ? '' : (headers[found] ?? '');
}

/** The subject of an answer. */
export function answerSubject(subject: string): string {
  const plain = subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return cutText(/^re:/i.test(plain) ? plain : `Re: ${plain}`, MAX_SUBJECT);
}

/** The headers by which programs show an answer below the mail that it answers (RFC 5322 §3.6.4). */
export function answerHeaders({ messageId, content }: MailMessage): Record<string, string> {
  const own = /^[^<>\s]{1,248}$/.test(messageId) ? `<${messageId}>` : null;
  if (own === null) return {};
  const before = headerIn(content.headers, 'references') || headerIn(content.headers, 'in-reply-to');
  const thread = [...(before.match(MESSAGE_ID) ?? []).filter((id) => id !== own && isAscii(id)), own];
  return isAscii(own) ? { 'In-Reply-To': own, References: thread.slice(-MAX_REFERENCES).join(' ') } : {};
}

const isAscii = (text: string): boolean => /^[!-~]+$/.test(text);

/** Where an answer goes: to the addresses that the mail names for it, else to its sender. */
export const answerTo = ({ content }: MailMessage): string =>
  content.replyTo.length === 0 ? content.from : content.replyTo.slice(0, MAX_RECIPIENTS).join(', ');

const MAX_RECIPIENTS = 10;
