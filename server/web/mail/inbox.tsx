import type { ComponentChildren } from 'preact';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import { listPath, mailboxPath } from '../address.js';
import { CopyButton } from '../components/button.js';
import { optionsOf } from '../components/form/choices.js';
import { Choice, Search } from '../components/list/filter.js';
import { Pager } from '../components/list/pager.js';
import { Badge, Time } from '../components/parts.js';
import { count } from '../format.js';
import type { MailboxRecord, Paged } from '../records.js';
import type { Inbox, ListedMail, MailboxFilter } from './shown-inbox.js';

const which = [
  ['', msg('All messages')],
  ['true', msg('Unread')],
] as const;

/** What is said of a mailbox without messages. */
const NOTHING_YET: Readonly<Record<MailboxRecord['status'], Message>> = {
  OPEN: msg('No messages yet. New mail appears here automatically.'),
  SUSPENDED: msg('No messages, and none can arrive while the mailbox is suspended.'),
  CLOSED: msg('No messages, and none can arrive while the mailbox is closed.'),
  EXPIRED: msg('No messages, and none can arrive: the mailbox has expired.'),
  DELETED: msg('No messages, and none can arrive: the mailbox is deleted.'),
};

/** The messages of a mailbox at the side, what is open beside them; on a phone one of both. */
export function Panes({
  inbox,
  open = null,
  children,
}: {
  readonly inbox: Inbox;
  /** The Message-Id of what is open; null for the mailbox itself. */
  readonly open?: string | null;
  readonly children: ComponentChildren;
}) {
  const { mailbox, list, filter, boxes } = inbox;
  const path = mailboxPath(mailbox.email);
  const isFiltered = filter.search !== '' || filter.unread !== '';
  return (
    <div class={open === null ? 'mail' : 'mail reading'}>
      <section class="inbox" aria-label={t('Messages')}>
        {boxes.length > 1 && <Boxes boxes={boxes} here={mailbox.email} />}
        {(isFiltered || list.total > 0) && (
          <Search action={path} search={filter.search} label={t('Search subjects, senders and texts')}>
            <Choice name="unread" label={t('Which')} value={filter.unread} options={optionsOf(which)} />
          </Search>
        )}
        {list.total === 0 ? (
          <p class="hint">
            {isFiltered ? t('Nothing matches. ') : translateMessage(NOTHING_YET[mailbox.status])}
            {isFiltered && <a href={path}>{t('Show all')}</a>}
          </p>
        ) : (
          <ul class="mails">
            {list.items.map((message) => (
              <MailRow
                key={message.messageId}
                message={message}
                href={messageHref(mailbox.email, message.messageId, filter, list)}
                isOpen={message.messageId === open}
              />
            ))}
          </ul>
        )}
        <Pager list={list} href={(page) => listPath(path, { ...filter, page })} />
      </section>
      <div class="opened">{children}</div>
    </div>
  );
}

const messageHref = (email: string, id: string, filter: MailboxFilter, { page }: Paged<unknown>): string =>
  listPath(`${mailboxPath(email)}/message`, { id, ...filter, page });

/** The mailboxes of the viewer, and how many messages in each are unread. */
function Boxes({ boxes, here }: { readonly boxes: Inbox['boxes']; readonly here: string }) {
  return (
    <nav class="boxes" aria-label={t('Mailboxes')}>
      {boxes.map(({ email, unread }) => (
        <a key={email} href={mailboxPath(email)} aria-current={email === here ? 'true' : undefined}>
          <span>{email}</span>
          {unread > 0 && <Unread count={unread} />}
        </a>
      ))}
    </nav>
  );
}

/** How many messages of a mailbox are unread. */
export const Unread = ({ count: unread }: { readonly count: number }) => (
  <Badge look="good">
    {count(unread)}
    <span class="unseen"> {t('unread')}</span>
  </Badge>
);

/** A message in the list; its one-time codes can be copied without opening it. */
function MailRow({
  message: { from, subject, beginning, date, codes, unread },
  href,
  isOpen,
}: {
  readonly message: ListedMail;
  readonly href: string;
  readonly isOpen: boolean;
}) {
  return (
    <li class={unread ? 'unread' : undefined}>
      <p class="from">
        <span dir="auto" title={from}>
          {senderOf(from)}
        </span>
        <Time at={date} />
      </p>
      <a href={href} dir="auto" aria-current={isOpen ? 'true' : undefined}>
        {subject || t('(no subject)')}
      </a>
      {unread && <span class="unseen">{t('new')}</span>}
      {beginning !== '' && (
        <p class="beginning" dir="auto">
          {beginning}
        </p>
      )}
      {codes.slice(0, SHOWN_CODES).map((code) => (
        <span class="one-time" key={code}>
          <code>{code}</code>
          <CopyButton look="quiet" text={code} label={t('Copy the code {code}', { code })} />
        </span>
      ))}
    </li>
  );
}

/** The name of a sender, or the address if there is none. */
function senderOf(from: string): string {
  const [name = ''] = from.split('<', 1);
  return name.replaceAll('"', '').trim() || from;
}

/** More are rarely codes. */
const SHOWN_CODES = 2;
