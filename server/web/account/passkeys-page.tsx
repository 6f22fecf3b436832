import type { ComponentChildren } from 'preact';
import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Field, LoginName } from '../components/form/field.js';
import { Form, untouched } from '../components/form/form.js';
import { Badge, Card, Empty, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { PasskeyRecord } from '../records.js';
import { rich } from '../rich.js';
import { Settings } from './settings.js';

/** Where passkeys are managed. */
export const PASSKEYS_PATH = '/web/settings/security/passkeys';

/** The passkeys of the account, to rename and remove, and a form for another one. */
export function PasskeysPage({
  site,
  email,
  passkeys,
  isProven,
  state = untouched,
}: FormPageProps<{
  readonly email: string;
  readonly passkeys: readonly PasskeyRecord[];
  /** Whether a passkey can be added without the password. */
  readonly isProven: boolean;
}>) {
  return (
    <Settings
      site={site}
      title={t('Passkeys')}
      lead={t('Sign in with your fingerprint, face, PIN or security key instead of a password.')}
      scripts={['passkey']}
    >
      <Card title={t('Your passkeys')}>
        {passkeys.length === 0 ? (
          <Empty icon="key" title={t('No passkeys yet')} />
        ) : (
          <ul class="rows">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )}
      </Card>
      <Card title={t('Add a passkey')} hint={t('Your browser asks where to keep it.')}>
        <p class="hint" data-passkey-none>
          {t('Passkeys need JavaScript and a browser that knows them.')}
        </p>
        <form class="form" method="post" action={PASSKEYS_PATH} data-passkey-add>
          {state.problem && <p class="problem">{state.problem}</p>}
          <LoginName value={email} />
          <Field name="name" label={t('Name')} hint={t('Such as the name of the device')} maxLength={60} />
          {/* Its script shows it if it is needed by the time the form is sent. */}
          <div data-passkey-password hidden={isProven}>
            <Field
              name="password"
              type="password"
              label={t('Password')}
              hint={t('You signed in more than ten minutes ago. Without a password, sign out and in again.')}
              autocomplete="current-password"
            />
          </div>
          <div data-passkey-only hidden>
            <Submit icon="key">{t('Add passkey')}</Submit>
          </div>
        </form>
      </Card>
    </Settings>
  );
}

/** What is known of a passkey; further lines below. */
export function PasskeyFacts({
  passkey,
  children,
}: {
  readonly passkey: PasskeyRecord;
  readonly children?: ComponentChildren;
}) {
  return (
    <span class="what">
      <bdi>{passkey.name}</bdi> {passkey.backedUp && <Badge>{t('On several devices')}</Badge>}
      <br />
      <span class="hint">
        {rich('added {time}', { time: <Time at={passkey.createdAt} /> })}
        {passkey.lastUsedAt === null ? (
          t(' · never used')
        ) : (
          <>
            {' '}
            {rich('· last used {time} from {lastUsedIp}', {
              time: <Time at={passkey.lastUsedAt} />,
              lastUsedIp: passkey.lastUsedIp,
            })}
          </>
        )}
      </span>
      {children}
    </span>
  );
}

function PasskeyRow({ passkey }: { readonly passkey: PasskeyRecord }) {
  const path = `${PASSKEYS_PATH}/${passkey.id}`;
  return (
    <li>
      <PasskeyFacts passkey={passkey}>
        <details class="more">
          <summary>{t('Rename')}</summary>
          <Form action={path}>
            <Field name="name" label={t('Name')} value={passkey.name} maxLength={60} required />
            <Submit name="action" value="rename">
              {t('Save')}
            </Submit>
          </Form>
        </details>
        <Ask
          action={path}
          value="remove"
          label={t('Remove')}
          lost={t('It can no longer sign in. Delete it on your device, too.')}
          sure={t('Yes, remove the passkey')}
        />
      </PasskeyFacts>
    </li>
  );
}
