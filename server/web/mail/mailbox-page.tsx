import { t } from '../../../routers/base/language/i18n.js';
import { mailboxSettingsPath } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Heading, Page } from '../components/page/page.js';
import { CopyField, Empty, Time } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { Panes } from './inbox.js';
import type { Inbox } from './shown-inbox.js';
import { statusBadge } from './status.js';

/** One mailbox with its messages, of which none is open. */
export function MailboxPage({
  site,
  inbox,
  changes,
}: PageProps<{
  readonly inbox: Inbox;
  /** Whether the viewer sees its settings. */
  readonly changes: boolean;
}>) {
  const { mailbox, list, filter } = inbox;
  const { email, status, expireAt } = mailbox;
  const isFiltered = filter.search !== '' || filter.unread !== '';
  const isEmpty = list.total === 0 && !isFiltered;
  return (
    <Page site={site} title={email} scripts={['live']} width="wide">
      <Heading
        title={email}
        lead={
          <>
            {statusBadge(status)}
            {status === 'OPEN' && expireAt !== 'never' && (
              <> {rich('expires {time}', { time: <Time at={expireAt} /> })}</>
            )}
          </>
        }
      >
        <CopyButton text={email}>{t('Copy the address')}</CopyButton>
        {changes && (
          <LinkButton href={mailboxSettingsPath(email)} icon="gear">
            {t('Settings')}
          </LinkButton>
        )}
      </Heading>
      {list.page === 0 && !isFiltered && (
        <span data-mailbox={email} data-newest={encodeURIComponent(list.items[0]?.messageId ?? '')} hidden />
      )}
      <Panes inbox={inbox}>
        {isEmpty && status === 'OPEN' ? (
          <Empty icon="inbox" title={t('Mail to this address arrives here')}>
            <CopyField label={t('Address')} value={email} />
          </Empty>
        ) : (
          <Empty icon="mail" title={isEmpty ? t('Nothing here yet') : t('Choose a message')} />
        )}
      </Panes>
    </Page>
  );
}
