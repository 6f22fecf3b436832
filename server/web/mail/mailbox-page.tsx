import { t } from '../../../routers/base/language/i18n.js';
import type { Settings } from '../../../routers/core/settings.js';
import { mailboxPath, mailRulesPath } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { ForwardRecord } from '../records.js';
import { administers, owns } from '../site.js';
import { ForwardCard } from './forward-card.js';
import { Panes } from './inbox.js';
import type { Sending } from './samples.js';
import type { Inbox } from './shown-inbox.js';
import { statusBadge } from './status.js';
import { TestInboxCard } from './test-inbox-card.js';

/** One mailbox with its messages and actions. */
export function MailboxPage({
  site,
  inbox,
  forward,
  settings,
  made,
  state,
}: FormPageProps<{
  readonly inbox: Inbox;
  /** Null for who may not change it. */
  readonly forward: ForwardRecord | null;
  readonly settings: Pick<Settings, 'origin' | 'smtp'>;
  /** The credentials that were just made; null otherwise. */
  readonly made: Sending | null;
}>) {
  const { mailbox, list, filter } = inbox;
  const isNewest = list.page === 0 && filter.search === '' && filter.unread === '';
  const path = mailboxPath(mailbox.email);
  const { createdBy } = mailbox;
  const changes = administers(site.viewer) || (createdBy !== null && owns(site.viewer, createdBy));
  return (
    <Page site={site} title={mailbox.email} scripts={['live']} width="wide">
      <Heading title={mailbox.email} lead={statusBadge(mailbox.status)}>
        <CopyButton text={mailbox.email}>{t('Copy')}</CopyButton>
      </Heading>
      {isNewest && (
        <span
          data-mailbox={mailbox.email}
          data-newest={encodeURIComponent(list.items[0]?.messageId ?? '')}
          hidden
        />
      )}
      <Panes inbox={inbox}>
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
      </Panes>
    </Page>
  );
}
