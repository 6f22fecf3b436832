import type { Services } from '../context.js';

/** The header of a mail to several people that says which copy it is. */
export const MARK_HEADER = 'X-Holdall-Recipient';

/**
 * What only the copy for this recipient carries: all recipients know the Message-Id and each other, but none of them can
 * report that another has not got the mail.
 */
export const markOf = (
  { secrets }: Pick<Services, 'secrets'>,
  messageId: string,
  recipient: string,
): string => secrets.sign(`copy:${messageId}:${recipient.toLowerCase()}`).slice(0, 32);

/** The marks in a text; servers return at least the headers of what they could not deliver. */
export const marksIn = (text: string): string[] =>
  [...text.matchAll(/X-Holdall-Recipient:\s{1,20}([0-9a-f]{32})/gi)].map(([, mark = '']) =>
    mark.toLowerCase(),
  );

/** An envelope id has at most so many characters (RFC 3461). */
const MAX_ENVELOPE_ID = 100;

/**
 * What names a copy in reports, even in those without its headers: its Message-Id behind its mark, as far as there is
 * room for both.
 */
export const envelopeIdOf = (messageId: string, mark: string): string => {
  const marked = `${mark}.${messageId}`;
  return marked.length > MAX_ENVELOPE_ID ? messageId : marked;
};

/** The mark and the Message-Id in an envelope id. */
export const inEnvelopeId = (id: string): { readonly mark: string | null; readonly messageId: string } => {
  const [, mark = null, messageId = id] = /^([0-9a-f]{32})\.(.+)$/i.exec(id) ?? [];
  return { mark: mark === null ? null : mark.toLowerCase(), messageId };
};
