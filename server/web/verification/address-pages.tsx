import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Form, untouched } from '../components/form/form.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { AuthLayout } from '../sign-in/auth-layout.js';

/** The page behind the link to a new e-mail address: opening it changes nothing, as programs open links, too. */
export function NewAddressPage({
  site,
  code,
  email,
  state = untouched,
}: FormPageProps<{
  readonly code: string;
  /** The new address; null if the link does not work. */
  readonly email: string | null;
}>) {
  if (email === null)
    return (
      <AuthLayout site={site} title={t('This link no longer works')}>
        <p class="hint">{t('It was already used or is older than 15 minutes. You can send a new one.')}</p>
        <a class="button primary" href="/web/settings/security/email">
          {t('Change the address')}
        </a>
      </AuthLayout>
    );
  return (
    <AuthLayout site={site} title={t('Use this e-mail address')}>
      <p>
        {rich('{email} becomes the address of your account: e-mails go to it, and you sign in with it.', {
          email: <bdi>{email}</bdi>,
        })}
      </p>
      <Form action="/web/verify/address" state={state}>
        <input type="hidden" name="code" value={code} />
        <Submit>{t('Use this address')}</Submit>
      </Form>
    </AuthLayout>
  );
}

/** Says that an account has a new address. */
export function AddressChangedPage({
  site,
  email,
  next,
}: PageProps<{ readonly email: string; readonly next: string }>) {
  return (
    <AuthLayout site={site} title={t('Your address was changed')}>
      <p>{rich('Your account has the address {email} now.', { email: <bdi>{email}</bdi> })}</p>
      <a class="button primary" href={next}>
        {t('Continue')}
      </a>
    </AuthLayout>
  );
}
