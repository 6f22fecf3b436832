import { z } from 'zod';
import { countMails, type FoundMail, mailsIn, mailsToChange } from '../../../../db/mail/mail-search.js';
import type { Mailbox } from '../../../../db/mail/mailbox.js';
import { found } from '../../../base/errors.js';
import { iso } from '../../../base/text/dates.js';
import { sanitisedToText } from '../../../base/text/html-text.js';
import type { Context, Services } from '../../../core/context.js';
import { seeking } from '../../../core/search.js';
import { collectMail } from '../arrival/collect.js';
import { ALL_MAILS, MAX_SEARCH_LENGTH, parseSearch } from './search.js';

/** Longest list, because the beginning of each mail is read. */
const MAX_LIMIT = 250;
const MAX_OFFSET = 10_000_000;
const SNIPPET_LENGTH = 250;

/** A search as people write it. */
export const searchField = z.string().trim().max(MAX_SEARCH_LENGTH).nullish();

/** Which mails are wanted, and which of them. */
export const findInput = z.object({
  search: searchField,
  start: z.int().min(0).max(MAX_OFFSET).default(0),
  limit: z.int().min(0).max(MAX_LIMIT).default(50),
  /** Whether to collect from the provider first. */
  collect: z.boolean().default(true),
});

const foundRecord = z.object({
  /** Among all mailboxes. */
  id: z.int(),
  email: z.string(),
  messageId: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  replyTo: z.array(z.string()),
  subject: z.string(),
  receivedAt: z.iso.datetime(),
  tags: z.array(z.string()),
  unread: z.boolean(),
  size: z.int(),
  attachments: z.int(),
  /** The beginning of the text, in one line. */
  snippet: z.string(),
});

/** A section of the mails that fit, and how many there are. */
export const foundPage = z.object({
  items: z.array(foundRecord),
  /** How many fit, and how many of them are unread. */
  total: z.int(),
  unread: z.int(),
  /** How many there are in all. */
  all: z.object({ messages: z.int(), unread: z.int() }),
});

/** The mailboxes that a caller sees. */
export type Seen = readonly Mailbox[];
const idsOf = (seen: Seen): readonly number[] => seen.map(({ id }) => id);

/** How many mails are in these mailboxes. */
export async function countInboxes({ db }: Services, seen: Seen) {
  const [messages, unread] = await Promise.all([
    countMails(db, idsOf(seen), ALL_MAILS),
    countMails(db, idsOf(seen), { ...ALL_MAILS, unread: true }),
  ]);
  return { messages, unread };
}

/** As whom a search takes its turn: the account, or the holder of the token. */
export const searcherOf = ({ app, onFinished }: Context, [mailbox]: Seen) => ({
  ...{ app, onFinished },
  account: { id: mailbox?.ownerId ?? 'guests' },
});

/** The mails of these mailboxes that fit, newest first, after collecting from the provider. */
export async function findMails(
  ctx: Context,
  seen: Seen,
  { search, start, limit, collect }: z.output<typeof findInput>,
): Promise<z.output<typeof foundPage>> {
  const { app } = ctx;
  const wanted = parseSearch(search ?? '');
  if (collect) await collectMail(app);
  const ids = idsOf(seen);
  const window = { limit: Math.max(1, limit), offset: start };
  const all = await countInboxes(app, seen);
  const text = wanted.terms.map((term) => term.text).join(' ');
  const [list, unread] = await seeking(searcherOf(ctx, seen), text, async (matches) => {
    const page = await mailsIn(app.db, ids, wanted, window, matches);
    if (!search) return [page, all.unread];
    if (wanted.unread !== null) return [page, wanted.unread ? page.total : 0];
    const open = await mailsIn(app.db, ids, { ...wanted, unread: true }, { limit: 1, offset: 0 }, matches);
    return [page, open.total];
  });
  const addresses = new Map(seen.map(({ id, address }) => [id, address]));
  const items = list.items.slice(0, limit).map((mail) => recordOf(mail, addresses.get(mail.mailboxId) ?? ''));
  return { items, total: list.total, unread, all };
}

const recordOf = ({ mailboxId: _, beginning, ...mail }: FoundMail, email: string) => ({
  ...{ ...mail, email, to: [...mail.to], cc: [...mail.cc], replyTo: [...mail.replyTo], tags: [...mail.tags] },
  receivedAt: iso(mail.receivedAt),
  snippet: ('text' in beginning ? beginning.text : sanitisedToText(beginning.html))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, SNIPPET_LENGTH),
});

/** A mail among all mailboxes; null for the newest. */
export const locateInput = z.object({ id: z.int().min(0).nullable() });

/** Where a mail is. */
export const locatedRecord = z.object({ id: z.int(), email: z.string(), messageId: z.string() });

/** The mail with an id, or the newest, if it is in one of these mailboxes; else 404. */
export async function locateMail(
  { app }: Context,
  seen: Seen,
  { id }: z.output<typeof locateInput>,
): Promise<z.output<typeof locatedRecord>> {
  if (id === null) await collectMail(app);
  const only = { ids: id === null ? null : [id], below: null, limit: 1 };
  const [mail] = await mailsToChange(app.db, idsOf(seen), ALL_MAILS, only, null);
  const { mailboxId, messageId } = found(mail);
  const { address } = found(seen.find((mailbox) => mailbox.id === mailboxId));
  return { id: found(mail).id, email: address, messageId };
}
