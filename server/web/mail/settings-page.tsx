import { t } from '../../../routers/base/language/i18n.js';
import type { Settings } from '../../../routers/core/settings.js';
import { mailboxPath, mailboxSettingsPath, mailRulesPath } from '../address.js';
import { LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form } from '../components/form/form.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { ForwardRecord, MailboxRecord } from '../records.js';
import { administers, owns, type Site } from '../site.js';
import { ForwardCard } from './forward-card.js';
import type { Sending } from './samples.js';
import { TestInboxCard } from './test-inbox-card.js';

/** Whether the viewer opens and closes a mailbox; one of a guest is only emptied and deleted, by whoever has it. */
const rules = ({ viewer }: Site, { createdBy }: MailboxRecord): boolean =>
  administers(viewer) || (createdBy !== null && owns(viewer, createdBy));

/** Whether there is anything of a mailbox that the viewer may change. */
export const mayChange = (site: Site, mailbox: MailboxRecord): boolean =>
  mailbox.createdBy === null || rules(site, mailbox);

/** What a mailbox does with its mail, and how it ends. */
export function MailboxSettingsPage({
  site,
  mailbox,
  forward,
  settings,
  made,
  state,
}: FormPageProps<{
  readonly mailbox: MailboxRecord;
  /** Null for who may not change it. */
  readonly forward: ForwardRecord | null;
  readonly settings: Pick<Settings, 'origin' | 'smtp'>;
  /** The credentials that were just made; null otherwise. */
  readonly made: Sending | null;
}>) {
  const { email } = mailbox;
  const path = mailboxSettingsPath(email);
  const changes = rules(site, mailbox);
  return (
    <Page site={site} title={t('Settings of {email}', { email })} width="narrow">
      <Heading title={t('Settings')} lead={email}>
        <LinkButton href={mailboxPath(email)} icon="inbox">
          {t('Messages')}
        </LinkButton>
      </Heading>
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
      {(changes || mailbox.createdBy === null) && (
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
