import type { MailMessage } from '../../../db/mail/mail-message.js';
import { SHOWN_LENGTH } from './bounds.js';

/** A message with at most the beginning of a long text and of long HTML; `truncated` if anything is missing. */
export function shortened(message: MailMessage): MailMessage & { readonly truncated: boolean } {
  const { text, html } = message.content;
  const content = { ...message.content, text: cutText(text), html: html === null ? null : cutHtml(html) };
  return { ...message, content, truncated: content.text !== text || content.html !== html };
}

/** The beginning of a text, without half a character at its end. */
const cutText = (text: string): string =>
  text.length <= SHOWN_LENGTH
    ? text
    : text
        .slice(0, SHOWN_LENGTH)
        .toWellFormed()
        .replace(/\uFFFD$/, '');

/** The beginning of sanitised HTML, without half a tag or half a character reference at its end. */
function cutHtml(html: string): string {
  if (html.length <= SHOWN_LENGTH) return html;
  const cut = cutText(html);
  const tag = cut.lastIndexOf('<');
  const whole = tag > cut.lastIndexOf('>') ? cut.slice(0, tag) : cut;
  return whole.replace(/&[#\w]{0,32}$/, '');
}
