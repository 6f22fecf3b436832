import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field, LoginName } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { AccountPassword } from '../components/form/passwords.js';
import type { FormPageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { AuthLayout } from '../sign-in/auth-layout.js';

/** Asks for the e-mail address of a forgotten password. The response is the same for every address. */
export function ResetRequestPage({
  site,
  signIn,
  state = untouched,
  sent = false,
}: FormPageProps<{
  /** Where accounts sign in. */
  readonly signIn: string;
  readonly sent?: boolean;
}>) {
  return (
    <AuthLayout site={site} title={t('Reset your password')}>
      {sent ? (
        <p>
          {t(
            'If there is an account with this address, we have sent it an e-mail with a link. The link is valid for 15 minutes.',
          )}
        </p>
      ) : (
        <Form action="/web/password-reset" state={state}>
          <Field
            {...bind(state).field('email')}
            type="email"
            label={t('E-mail address')}
            autocomplete="username"
            required
            autofocus
          />
          <Submit>{t('Send reset link')}</Submit>
        </Form>
      )}
      <p class="hint">
        <a href={signIn}>{t('Back to sign-in')}</a>
      </p>
    </AuthLayout>
  );
}

/** Asks for the new password; `code` came with the link in the e-mail. */
export function ResetPage({
  site,
  state = untouched,
  code,
  email,
}: FormPageProps<{
  readonly code: string;
  /** The address of the account; null if the link does not work. */
  readonly email: string | null;
}>) {
  return (
    <AuthLayout site={site} title={t('Set a new password')}>
      <Form action="/web/password-reset/confirm" state={state}>
        <input type="hidden" name="code" value={code} />
        {email !== null && <LoginName value={email} />}
        <AccountPassword
          label={t('New password')}
          state={state}
          hint={t('At least 8 characters. All your other sessions will end.')}
          autofocus
        />
        <Submit>{t('Set password')}</Submit>
      </Form>
      <p class="hint">
        {rich('The link in the e-mail works once, for 15 minutes. <a>Request a new one</a>', {
          a: (inside) => <a href="/web/password-reset">{inside}</a>,
        })}
      </p>
    </AuthLayout>
  );
}
