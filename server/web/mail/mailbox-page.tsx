import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import type { Message } from '../../../routers/base/language/message.js';
import type { Settings } from '../../../routers/core/settings.js';
import { listPath, mailboxPath, mailRulesPath } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { optionsOf } from '../components/form/choices.js';
import { Form } from '../components/form/form.js';
import { Choice, Search } from '../components/list/filter.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Badge, Card, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { ForwardRecord, MailboxRecord, MessageRecord, Paged } from '../records.js';
import { administers, owns } from '../site.js';
import { ForwardCard } from './forward-card.js';
import type { Sending } from './samples.js';
import { Status } from './status.js';
import { TestInboxCard } from './test-inbox-card.js';

type ListedMail = Pick<MessageRecord, 'messageId' | 'from' | 'subject' | 'date' | 'codes' | 'unread'>;

/** The filter of the list, as it is in the address. */
export interface MailboxFilter {
  readonly search: string;
  readonly unread: '' | 'true';
}

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

/** A message in the list; its one-time codes can be copied without opening it. */
function MailRow({ path, message }: { readonly path: string; readonly message: ListedMail }) {
  return (
    <li class={message.unread ? 'unread' : undefined}>
      <span class="what">
        <a href={`${path}/message?id=${encodeURIComponent(message.messageId)}`} dir="auto">
          {message.subject || t('(no subject)')}
        </a>{' '}
        {message.unread && <Badge look="good">{t('new')}</Badge>}
        <br />
        <span class="hint" dir="auto">
          {message.from}
        </span>
      </span>
      {message.codes.slice(0, SHOWN_CODES).map((code) => (
        <span class="one-time" key={code}>
          <code>{code}</code>
          <CopyButton look="quiet" text={code} label={t('Copy the code {code}', { code })} />
        </span>
      ))}
      <span class="hint">
        <Time at={message.date} />
      </span>
    </li>
  );
}

/** More are rarely codes. */
const SHOWN_CODES = 2;

/** One mailbox with its messages and actions. */
export function MailboxPage({
  site,
  mailbox,
  list,
  filter,
  forward,
  settings,
  made,
  state,
}: FormPageProps<{
  readonly mailbox: MailboxRecord;
  /** Newest first. */
  readonly list: Paged<ListedMail>;
  readonly filter: MailboxFilter;
  /** Null for who may not change it. */
  readonly forward: ForwardRecord | null;
  readonly settings: Pick<Settings, 'origin' | 'smtp'>;
  /** The credentials that were just made; null otherwise. */
  readonly made: Sending | null;
}>) {
  const filtered = filter.search !== '' || filter.unread !== '';
  const path = mailboxPath(mailbox.email);
  const { createdBy } = mailbox;
  const changes = administers(site.viewer) || (createdBy !== null && owns(site.viewer, createdBy));
  return (
    <Page site={site} title={mailbox.email} scripts={['live']}>
      <Heading title={mailbox.email} lead={<Status status={mailbox.status} />}>
        <CopyButton text={mailbox.email}>{t('Copy')}</CopyButton>
      </Heading>
      <Card title={t('Messages')}>
        {filtered || list.total > 0 ? (
          <Search action={path} search={filter.search} label={t('Search subjects, senders and texts')}>
            <Choice name="unread" label={t('Which')} value={filter.unread} options={optionsOf(which)} />
          </Search>
        ) : null}
        {list.total === 0 ? (
          <p class="hint">
            {filtered ? t('Nothing matches. ') : translateMessage(NOTHING_YET[mailbox.status])}
            {filtered && <a href={path}>{t('Show all')}</a>}
          </p>
        ) : (
          <ul class="rows mails">
            {list.items.map((message) => (
              <MailRow key={message.messageId} path={path} message={message} />
            ))}
          </ul>
        )}
        <Pager list={list} href={(page) => listPath(path, { ...filter, page })} />
        {list.page === 0 && !filtered && (
          <span
            data-mailbox={mailbox.email}
            data-newest={encodeURIComponent(list.items[0]?.messageId ?? '')}
            hidden
          />
        )}
      </Card>
      {forward !== null && !mailbox.sandbox && <ForwardCard path={path} forward={forward} state={state} />}
      {forward !== null && (
        <Card
          title={t('Rules')}
          hint={t('Tag, forward or delete new mail by its sender and subject.')}
          actions={
            <LinkButton href={mailRulesPath(mailbox.email)} icon="filter">
              {t('Rules')}
            </LinkButton>
          }
        >
          {null}
        </Card>
      )}
      {forward !== null && (
        <TestInboxCard
          path={path}
          email={mailbox.email}
          isSandbox={mailbox.sandbox}
          settings={settings}
          made={made}
        />
      )}
      {(changes || createdBy === null) && (
        <Card title={t('Manage mailbox')}>
          {mailbox.expireAt !== 'never' && (
            <p class="hint">
              {mailbox.status === 'EXPIRED' ? t('Expired') : t('Expires')} <Time at={mailbox.expireAt} />
            </p>
          )}
          {changes && (
            <Form action={path}>
              <div class="actions">
                {mailbox.status === 'OPEN' ? (
                  <>
                    <Submit look="plain" name="action" value="suspend">
                      {t('Suspend')}
                    </Submit>
                    <Submit look="plain" name="action" value="close">
                      {t('Close')}
                    </Submit>
                  </>
                ) : (
                  <Submit look="plain" name="action" value="open">
                    {t('Reopen')}
                  </Submit>
                )}
              </div>
            </Form>
          )}
          <Ask
            action={path}
            value="empty"
            label={t('Delete all messages')}
            lost={t('This permanently deletes every message and its attachments. The address stays.')}
            sure={t('Yes, delete all messages')}
          />
          <Ask
            action={path}
            value="delete"
            label={t('Delete the mailbox')}
            lost={
              changes
                ? t(
                    'This permanently deletes all its messages, and nobody, including you, can use {email} again. To stop receiving mail for a while, close it instead.',
                    { email: mailbox.email },
                  )
                : t(
                    'This permanently deletes all its messages, and nobody, including you, can use {email} again.',
                    { email: mailbox.email },
                  )
            }
            sure={t('Yes, delete the mailbox')}
          />
        </Card>
      )}
    </Page>
  );
}
