import type { MailContent } from '../../../../db/mail/mail-message.js';
import { cutText } from '../../../base/text/cut.js';
import { sanitisedToText } from '../../../base/text/html-text.js';

/** So much of a mail is looked through, and so much of it is kept, in UTF-16 units. */
const LOOKED_THROUGH = 16_384;
const KEPT = 200;

/** The first words of a mail in one line, without what it quotes. */
export function beginningOf({ text, html }: Pick<MailContent, 'text' | 'html'>): string {
  const part = (whole: string): string => whole.slice(0, LOOKED_THROUGH);
  const looked = text.trim() === '' ? sanitisedToText(wholeTags(part(html ?? ''))) : part(text);
  const own = looked.split('\n').filter((line) => !line.startsWith('>'));
  return cutText(own.join(' ').replace(/\s+/g, ' ').trim(), KEPT);
}

/** HTML that was cut, up to its last whole tag. */
const wholeTags = (html: string): string => html.slice(0, html.lastIndexOf('>') + 1);
