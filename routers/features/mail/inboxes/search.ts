import type { MailPlace, MailQuery, MailTerm } from '../../../../db/mail/mail-search.js';
import { fail } from '../../../base/errors.js';
import { parseMoment } from '../../../base/text/dates.js';

/** In UTF-16 units, of a whole search. */
export const MAX_SEARCH_LENGTH = 500;
const MAX_TERMS = 20;

/** Every mail. */
export const ALL_MAILS: MailQuery = { terms: [], unread: null, attached: null, after: null, before: null };

const PLACES: Readonly<Record<string, MailPlace>> = {
  ...{ from: 'from', to: 'to', cc: 'cc', bcc: 'to', 'reply-to': 'replyTo', subject: 'subject' },
  ...{ 'message-id': 'messageId', tag: 'tag' },
};

/** A sign of a word, or all of it in quotes, as far as a space. */
const TOKEN = /(?:"[^"]*(?:"|$)|[^\s"])+/g;

/**
 * What people and programs write to find mails: words, and `from: to: cc: reply-to: subject: message-id: tag: is:unread
 * is:read has:attachment before: after:`, each with what has spaces in quotes, and `-` in front for what must not be.
 * 400 for a date that is none. Words of an unknown sort are looked for as they are.
 */
export function parseSearch(text: string): MailQuery {
  let wanted = ALL_MAILS;
  const terms: MailTerm[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    const not = /^[-!]./.test(token);
    const bare = not ? token.slice(1) : token;
    const colon = bare.indexOf(':');
    const name = colon < 0 ? '' : bare.slice(0, colon).toLowerCase();
    const value = bare.slice(colon + 1).replaceAll('"', '');
    const flag = flagOf(name, value.toLowerCase(), not);
    if (flag !== null) wanted = { ...wanted, ...flag };
    else if (name === 'before' || name === 'after') wanted = { ...wanted, [name]: momentOf(value) };
    else {
      const place = Object.hasOwn(PLACES, name) ? PLACES[name] : undefined;
      const word = place === undefined ? bare.replaceAll('"', '') : value;
      if (word !== '') terms.push({ place: place ?? 'any', text: word, not });
    }
  }
  if (terms.length > MAX_TERMS) fail('INVALID');
  return { ...wanted, terms };
}

/** What a word that is a flag asks for; null for any other. */
function flagOf(name: string, value: string, not: boolean): Partial<MailQuery> | null {
  if (name === 'is' && (value === 'unread' || value === 'read'))
    return { unread: (value === 'unread') !== not };
  if (name === 'has' && /^attachments?$/.test(value)) return { attached: !not };
  return null;
}

function momentOf(value: string): number {
  const moment = parseMoment(value.replaceAll('/', '-'));
  return moment?.at ?? fail('INVALID', 'use a date like YYYY-MM-DD, ISO 8601 or epoch seconds');
}
