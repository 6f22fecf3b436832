import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { LoginName } from '../components/form/field.js';
import { Form, untouched } from '../components/form/form.js';
import { OwnPassword } from '../components/form/passwords.js';
import { Card } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import { Settings } from './settings.js';

/** Asks for the password before a way to sign in is added or removed. */
export function ConfirmPage({ site, email, state = untouched }: FormPageProps<{ readonly email: string }>) {
  return (
    <Settings site={site} title={t('Confirm that it is you')}>
      <Card
        hint={t(
          'You signed in more than ten minutes ago. Enter your password to change how you sign in, or sign out and in again.',
        )}
      >
        <Form action="/web/settings/security/confirm" state={state}>
          <LoginName value={email} />
          <OwnPassword state={state} autofocus />
          <Submit>{t('Confirm')}</Submit>
        </Form>
      </Card>
    </Settings>
  );
}
