import type { Fields } from '../../../rest-adapter/fields.js';
import { choiceOf, pageNumber, searchOf } from '../listing.js';
import type { MailboxRecord, MessageRecord, Paged } from '../records.js';
import type { PageRequest } from '../request.js';
import { owns, type Site } from '../site.js';

/** A message as the list shows it. */
export type ListedMail = Pick<
  MessageRecord,
  'messageId' | 'from' | 'subject' | 'date' | 'codes' | 'unread'
> & { readonly beginning: string };

/** The filter of the list, as it is in the address. */
export interface MailboxFilter {
  readonly search: string;
  readonly unread: '' | 'true';
}

/** A mailbox, its messages, and the other mailboxes of the viewer. */
export interface Inbox {
  readonly mailbox: MailboxRecord;
  /** Newest first. */
  readonly list: Paged<ListedMail>;
  readonly filter: MailboxFilter;
  /** Empty for who only looks into this one. */
  readonly boxes: readonly { readonly email: string; readonly unread: number }[];
}

const filterOf = (query: Fields): MailboxFilter => ({
  search: searchOf(query),
  unread: choiceOf(query, 'unread', ['true'], ''),
});

/** So many mailboxes stand beside the messages; the page of mailboxes has all. */
const MAX_BOXES = 8;

/** The mailbox in the address as the pages of it and of its messages show it. */
export async function inboxOf({ call, params, query, site }: PageRequest): Promise<Inbox> {
  const email = params.email ?? '';
  const filter = filterOf(query);
  const [mailbox, list] = await Promise.all([
    call.email.info({ email }),
    call.email.inbox({
      email,
      page: pageNumber(query),
      search: filter.search,
      unread: filter.unread === '' ? null : true,
    }),
  ]);
  const boxes = holds(site, mailbox) ? await boxesOf(call) : [];
  const first = boxes.slice(0, MAX_BOXES);
  const own = boxes.filter((box) => box.email === mailbox.email && !first.includes(box));
  return { mailbox, list, filter, boxes: [...own, ...first] };
}

/** The mailboxes of the viewer with the number of their unread messages. */
export async function boxesOf(call: PageRequest['call']) {
  const [mailboxes, unread] = await Promise.all([call.email.mine(), call.email.unread()]);
  const counts = new Map(unread.map((box) => [box.email, box.unread]));
  return mailboxes.map((box) => ({ ...box, unread: counts.get(box.email) ?? 0 }));
}

/** Whether the viewer is the owner of a mailbox. */
export const holds = ({ viewer }: Site, { createdBy }: MailboxRecord): boolean =>
  createdBy !== null && owns(viewer, createdBy);
