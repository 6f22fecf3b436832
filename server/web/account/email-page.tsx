import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field, LoginName } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { OwnPassword } from '../components/form/passwords.js';
import { Card } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { Settings } from './settings.js';

/** Asks for a new e-mail address, and for the password that confirms it. */
export function EmailPage({
  site,
  email,
  state = untouched,
}: FormPageProps<{
  /** The present address. */
  readonly email: string;
}>) {
  const { field } = bind(state);
  return (
    <Settings site={site} title={t('E-mail address')}>
      <Card
        title={t('Change your address')}
        hint={rich(
          'You get an e-mail with a link at the new address. Until you open it, {email} stays the address of your account.',
          { email: <bdi>{email}</bdi> },
        )}
      >
        <Form action="/web/settings/security/email" state={state}>
          <LoginName value={email} />
          <div class="pair">
            <Field
              {...field('email')}
              type="email"
              label={t('New e-mail address')}
              autocomplete="email"
              maxLength={254}
              required
            />
            <OwnPassword state={state} />
          </div>
          <Submit>{t('Send the link')}</Submit>
        </Form>
      </Card>
    </Settings>
  );
}
