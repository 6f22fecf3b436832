import type { Db } from '../engine/connect.js';
import {
  type Condition,
  countOf,
  listPage,
  type Page,
  type SearchMatches,
  type Window,
} from '../engine/paging.js';
import { type Binding, json, query } from '../engine/query.js';
import type { Queryable } from '../engine/queryable.js';

/** Where a word of a search has to be. */
export type MailPlace = 'any' | 'from' | 'to' | 'cc' | 'replyTo' | 'subject' | 'messageId' | 'tag';

/** A text that a mail contains, or does not. */
export interface MailTerm {
  readonly place: MailPlace;
  readonly text: string;
  readonly not: boolean;
}

/** Which mails of some mailboxes are wanted; null = any. */
export interface MailQuery {
  readonly terms: readonly MailTerm[];
  readonly unread: boolean | null;
  readonly attached: boolean | null;
  /** Received after, and before, a moment. */
  readonly after: number | null;
  readonly before: number | null;
}

/** A mail as a list over several mailboxes shows it. */
export interface FoundMail {
  readonly id: number;
  readonly mailboxId: number;
  readonly messageId: string;
  readonly receivedAt: number;
  readonly from: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly replyTo: readonly string[];
  readonly subject: string;
  readonly tags: readonly string[];
  readonly unread: boolean;
  /** Bytes as it came, or of what is kept of it. */
  readonly size: number;
  readonly attachments: number;
  /** The beginning of its text; of its sanitised HTML if it has none. */
  readonly beginning: { readonly text: string } | { readonly html: string };
}

interface Row {
  id: number;
  mailbox_id: number;
  message_id: string;
  received_at: number;
  from_text: string;
  to_list: string | null;
  cc_list: string | null;
  reply_to: string | null;
  subject: string;
  tags: string;
  unread: boolean | number;
  size: number;
  attachments: number;
  beginning: string | null;
  html: string | null;
}

const BEGINNING_LENGTH = 500;
const WITH_CONTENT = 'mail_messages JOIN mail_contents ON mail_id = id';
const listIn = (text: string | null): readonly string[] => (text === null ? [] : json(text));

/** The expressions that a word is looked for in. */
function placesOf({ dialect }: Db, place: MailPlace): readonly string[] {
  const content = (field: string) => dialect.fieldOf('content', field);
  switch (place) {
    case 'from':
      return ['from_text'];
    case 'to':
      return [content('to'), content('deliveredTo')];
    case 'cc':
    case 'replyTo':
      return [content(place)];
    case 'subject':
      return ['subject'];
    case 'messageId':
      return ['message_id'];
    case 'tag':
      return ['tags'];
    default:
      return ['subject', 'from_text', content('to'), content('cc'), content('text')];
  }
}

const OF_CONTENT: ReadonlySet<MailPlace> = new Set(['any', 'to', 'cc', 'replyTo']);

function conditionOf(db: Db, { place, text, not }: MailTerm): Condition {
  const { test, pattern } = db.dialect.contains(text);
  const tests = placesOf(db, place).map((expression) => `coalesce(${expression}, '') ${test}`);
  return [`${not ? 'NOT ' : ''}(${tests.join(' OR ')})`, ...tests.map(() => pattern)];
}

/** The table and the conditions of a search. */
function listingOf(
  db: Db,
  mailboxIds: readonly number[],
  { terms, unread, attached, after, before }: MailQuery,
) {
  const files = 'EXISTS (SELECT 1 FROM mail_attachments a WHERE a.mail_id = mail_messages.id)';
  const where: Condition[] = [
    [`${db.dialect.inNumbers('mailbox_id')} AND removed_at IS NULL`, JSON.stringify(mailboxIds)],
    unread === null ? null : ['unread = ?', unread],
    attached === null ? null : [`${attached ? '' : 'NOT '}${files}`],
    after === null ? null : ['received_at > ?', after],
    before === null ? null : ['received_at < ?', before],
    ...terms.map((term) => conditionOf(db, term)),
  ];
  const from = terms.some(({ place }) => OF_CONTENT.has(place)) ? WITH_CONTENT : 'mail_messages';
  return { from, where, order: 'id DESC' };
}

/** The mails of several mailboxes that fit, newest first. */
export function mailsIn(
  db: Db,
  mailboxIds: readonly number[],
  wanted: MailQuery,
  window: Window,
  matches: SearchMatches | null,
): Promise<Page<FoundMail>> {
  const content = (field: string) => db.dialect.fieldOf('content', field);
  return listPage<Row, FoundMail>(
    db,
    {
      ...listingOf(db, mailboxIds, wanted),
      keyed: WITH_CONTENT,
      columns: `id, mailbox_id, message_id, received_at, from_text, subject, tags, unread,
        coalesce(original_size, shown_size, size) AS size,
        ${content('to')} AS to_list, ${content('cc')} AS cc_list, ${content('replyTo')} AS reply_to,
        substr(${content('text')}, 1, ${BEGINNING_LENGTH}) AS beginning,
        CASE WHEN coalesce(${content('text')}, '') = '' THEN substr(${content('html')}, 1, ${8 * BEGINNING_LENGTH}) END AS html,
        (SELECT count(*) FROM mail_attachments a WHERE a.mail_id = mail_messages.id) AS attachments`,
    },
    window,
    (row) => ({
      ...{ id: row.id, mailboxId: row.mailbox_id, messageId: row.message_id, receivedAt: row.received_at },
      ...{ from: row.from_text, to: listIn(row.to_list), cc: listIn(row.cc_list) },
      ...{ replyTo: listIn(row.reply_to), subject: row.subject, tags: json(row.tags) },
      ...{ unread: Boolean(row.unread), size: row.size, attachments: row.attachments },
      beginning: row.html === null ? { text: row.beginning ?? '' } : { html: row.html },
    }),
    matches,
  );
}

/** How many mails of several mailboxes fit. */
export const countMails = (db: Db, mailboxIds: readonly number[], wanted: MailQuery): Promise<number> =>
  countOf(db, listingOf(db, mailboxIds, wanted));

/** Which row a mail is, and where. */
export interface PlacedMail {
  readonly id: number;
  readonly mailboxId: number;
  readonly messageId: string;
}

interface PlaceRow {
  id: number;
  mailbox_id: number;
  message_id: string;
}

const placed = (row: PlaceRow): PlacedMail => ({
  ...{ id: row.id, mailboxId: row.mailbox_id, messageId: row.message_id },
});

/**
 * The mails of several mailboxes that fit, newest first, at most `limit`: those with these row ids (null: any), older
 * than the row `below` (null: any).
 */
export async function mailsToChange(
  db: Db,
  mailboxIds: readonly number[],
  wanted: MailQuery,
  {
    ids,
    below,
    limit,
  }: { readonly ids: readonly number[] | null; readonly below: number | null; readonly limit: number },
  matches: SearchMatches | null,
): Promise<PlacedMail[]> {
  const { from, where } = listingOf(db, mailboxIds, wanted);
  const all = [
    ...where,
    ids === null ? null : ([db.dialect.inNumbers('id'), JSON.stringify(ids)] as const),
    below === null ? null : (['id < ?', below] as const),
  ].filter((condition) => condition !== null);
  const sql = `SELECT id, mailbox_id, message_id FROM ${from}
    WHERE ${all.map(([test]) => test).join(' AND ')} ORDER BY id DESC LIMIT ?`;
  const values: Binding[] = [...all.flatMap(([, ...bound]) => bound), limit];
  const rows =
    matches === null
      ? await query<PlaceRow>(db.read, sql, values)
      : await db.search.query<PlaceRow>(sql, values, matches.left);
  return rows.map(placed);
}

/** Marks these mails of a mailbox as read or unread, if they are still there. */
export async function markMails(
  db: Db,
  trx: Queryable,
  mailboxId: number,
  ids: readonly number[],
  unread: boolean,
): Promise<void> {
  await query(
    trx,
    `UPDATE mail_messages SET unread = ? WHERE mailbox_id = ? AND removed_at IS NULL AND ${db.dialect.inNumbers('id')}`,
    [unread, mailboxId, JSON.stringify(ids)],
  );
}
