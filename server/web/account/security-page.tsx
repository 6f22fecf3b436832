import { t } from '../../../routers/base/language/i18n.js';
import { Agent } from '../components/agent.js';
import { LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Check } from '../components/form/choices.js';
import { LoginName } from '../components/form/field.js';
import { ActionForm, bind, Form, untouched } from '../components/form/form.js';
import { AccountPassword, OwnPassword } from '../components/form/passwords.js';
import { Badge, Card, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { IdentityRecord, PasskeyRecord, SecondFactorState, SessionRecord } from '../records.js';
import { rich } from '../rich.js';
import { IdentityCard } from './identity-card.js';
import { PasskeyFacts } from './passkeys-page.js';
import { Settings } from './settings.js';

/** A linked account of another service. */
export interface Connection {
  readonly service: 'chatapp' | 'messenger';
  readonly label: string;
  /** Its name there; null when not linked. */
  readonly name: string | null;
  /** Where to start linking. */
  readonly connectUrl: string;
}

/** Ways to sign in, sessions and linked accounts. */
export function SecurityPage({
  site,
  email,
  sessions,
  connections,
  secondFactor,
  identities,
  passkeys,
  state = untouched,
}: FormPageProps<{
  readonly email: string;
  readonly secondFactor: SecondFactorState;
  readonly sessions: readonly SessionRecord[];
  readonly connections: readonly Connection[];
  readonly identities: readonly IdentityRecord[];
  readonly passkeys: readonly PasskeyRecord[];
}>) {
  const chat = connections.find(({ service }) => service === 'chatapp');
  const { box } = bind(state);
  return (
    <Settings site={site} title={t('Sign-in')}>
      <Card
        title={t('Password')}
        hint={
          <>
            {t('Changing it ends all your other sessions.')}
            {chat?.name && (
              <>
                {' '}
                {rich(
                  'The <link>linked</link> {label} account {name} can sign in without it, even after you change it.',
                  {
                    link: (inside) => <a href="#linked">{inside}</a>,
                    label: chat.label,
                    name: <bdi>{chat.name}</bdi>,
                  },
                )}
              </>
            )}
          </>
        }
      >
        <Form action="/web/settings/security" state={state}>
          <LoginName value={email} />
          <div class="pair">
            <OwnPassword name="currentPassword" label={t('Current password')} state={state} />
            <AccountPassword name="newPassword" label={t('New password')} state={state} />
          </div>
          <Check
            {...box('replaceKey', true)}
            label={t('Also replace my API key')}
            hint={t(
              'Leave this on if someone else may know your password. Tools that use the key need the new one.',
            )}
          />
          <Submit>{t('Change password')}</Submit>
        </Form>
      </Card>
      <Card
        title={t('E-mail address')}
        hint={t('Where e-mails about your account go. You can sign in with it.')}
      >
        <p>
          <bdi>{email}</bdi>
        </p>
        <LinkButton href="/web/settings/security/email">{t('Change')}</LinkButton>
      </Card>
      <Card
        title={t('Two-step sign-in')}
        hint={t(
          'Signing in will need your password and a code from an app on your phone, so a stolen password is not enough.',
        )}
      >
        <p>
          {secondFactor.enabled ? (
            <Badge look="good">{t('On')}</Badge>
          ) : (
            <Badge look="plain">{t('Off')}</Badge>
          )}
        </p>
        <LinkButton href="/web/settings/security/two-step">
          {secondFactor.enabled ? t('Manage') : t('Set up')}
        </LinkButton>
      </Card>
      {site.signIn.ways.includes('passkey') && (
        <Card
          title={t('Passkeys')}
          hint={t(
            '{count, plural, one {# passkey} other {# passkeys}}. A passkey signs in without a password, and only on this site.',
            { count: passkeys.length },
          )}
        >
          {passkeys.length > 0 && (
            <ul class="rows">
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <PasskeyFacts passkey={passkey} />
                </li>
              ))}
            </ul>
          )}
          <LinkButton href="/web/settings/security/passkeys">{t('Manage')}</LinkButton>
        </Card>
      )}
      <Card
        title={t('Own key')}
        hint={t('Opens what is sealed to you, which not even this server can read.')}
      >
        <LinkButton href="/web/settings/seal">{t('Manage')}</LinkButton>
      </Card>
      <IdentityCard site={site} identities={identities} />
      <Card title={t('Sessions')} hint={t('Where you are signed in.')}>
        <ul class="rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
        {sessions.length > 1 && (
          <Ask
            action="/web/settings/security/sessions"
            value="all"
            icon="leave"
            label={t('End all other sessions')}
            lost={t('Everywhere else you have to sign in again.')}
            sure={t('Yes, end them')}
          />
        )}
      </Card>
      <Card
        title={t('End everything')}
        hint={t('Signs out everywhere else and revokes all keys, passkeys and linked accounts.')}
      >
        <Ask
          action="/web/settings/security/everything"
          value="everything"
          icon="leave"
          label={t('Sign out everywhere else')}
          lost={t(
            'All other sessions, named keys, passkeys, linked accounts, mail forwarding and the webhook are ended, and the main API key is replaced. Your password and two-step sign-in stay.',
          )}
          sure={t('Yes, end everything')}
        />
      </Card>
      {connections.length > 0 && (
        <Card title={t('Linked accounts')} id="linked">
          <ul class="rows">
            {connections.map((connection) => (
              <ConnectionRow key={connection.service} connection={connection} />
            ))}
          </ul>
        </Card>
      )}
    </Settings>
  );
}

function SessionRow({ session }: { readonly session: SessionRecord }) {
  return (
    <li>
      <div class="what">
        <Agent userAgent={session.userAgent} unknown={t('Unknown device')}>
          {session.isCurrent && <Badge look="good">{t('This session')}</Badge>}
        </Agent>
        <span class="hint">
          {rich('{ipAddress} · last used {time}', {
            ipAddress: session.ipAddress,
            time: <Time at={session.lastUsedAt} />,
          })}
        </span>
      </div>
      {!session.isCurrent && (
        <ActionForm action="/web/settings/security/sessions" fields={{ id: session.id }}>
          {t('End session')}
        </ActionForm>
      )}
    </li>
  );
}

function ConnectionRow({ connection }: { readonly connection: Connection }) {
  return (
    <li>
      <span class="what">
        {connection.label}
        <br />
        <span class="hint" dir="auto">
          {connection.name ?? t('Not linked')}
        </span>
      </span>
      {connection.name === null ? (
        <a class="button plain" href={connection.connectUrl}>
          {t('Link an account')}
        </a>
      ) : (
        <ActionForm action="/web/settings/security/connections" fields={{ service: connection.service }}>
          {t('Unlink')}
        </ActionForm>
      )}
    </li>
  );
}
