import { t, translateMessage } from '../../../routers/base/language/i18n.js';
import { LinkButton, Submit } from '../components/button.js';
import { Form, untouched } from '../components/form/form.js';
import { OwnPassword } from '../components/form/passwords.js';
import { Card, Facts, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { FullUser } from '../records.js';
import { ROLE_WORDS } from '../roles.js';
import { Settings } from './settings.js';

/** The account, its data export and its deletion. */
export function AccountPage({
  site,
  user,
  state = untouched,
}: FormPageProps<{
  readonly user: FullUser;
}>) {
  return (
    <Settings site={site} title={t('Account')}>
      <Card title={t('Your account')}>
        <Facts
          of={[
            [
              t('Username'),
              <span key="name" dir="auto">
                {user.username}
              </span>,
            ],
            [t('E-mail'), user.email],
            [t('Role'), translateMessage(ROLE_WORDS[user.role])],
            [t('Joined'), <Time key="since" at={user.createdAt} />],
            [
              t('Invited by'),
              user.invitedBy && (
                <span key="by" dir="auto">
                  {user.invitedBy.username}
                </span>
              ),
            ],
          ]}
        />
      </Card>
      <Card
        title={t('Export your data')}
        hint={t(
          'Everything you have here: files as they are stored, pastes as text, and mail, links, playlists and settings as JSON.',
        )}
      >
        <LinkButton href="/web/settings/account/export" icon="archive">
          {t('Download everything')}
        </LinkButton>
      </Card>
      <Card
        title={t('Delete account')}
        hint={t(
          'This immediately and permanently deletes your account with all its files, pastes and links.',
        )}
      >
        <Form action="/web/settings/account" state={state}>
          <OwnPassword state={state} />
          <Submit look="danger" icon="trash">
            {t('Delete my account')}
          </Submit>
        </Form>
      </Card>
    </Settings>
  );
}
