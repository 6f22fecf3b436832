import { t } from '../../../routers/base/language/i18n.js';
import type { LinkState } from '../../../routers/features/auth/verify.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import type { PageProps } from '../page-props.js';
import { AuthLayout } from '../sign-in/auth-layout.js';

/** The page behind the link in the verification e-mail: opening it changes nothing, as programs open links, too. */
export function ActivatePage({ site, code }: PageProps<{ readonly code: string }>) {
  return (
    <AuthLayout site={site} title={t('Activate your account')}>
      <p class="hint">
        {t('If you did not create an account here, close this page: without you it is not activated.')}
      </p>
      <Form action="/web/verify/link">
        <input type="hidden" name="code" value={code} />
        <Submit>{t('Activate account')}</Submit>
      </Form>
    </AuthLayout>
  );
}

/** What the link in the verification e-mail has done. */
export function VerifiedPage({
  site,
  state,
  signIn,
}: PageProps<{
  readonly state: LinkState;
  /** Where the account signs in: at the portal, if there is one. */
  readonly signIn: string;
}>) {
  const [title, text] =
    state === 'dead'
      ? [
          t('This link no longer works'),
          t('It was already used or is older than 15 minutes. Sign in to get a new one.'),
        ]
      : site.registration === 'approval'
        ? [
            t('Your e-mail address is confirmed'),
            t('Without an invite, an administrator lets you in first; you get an e-mail then.'),
          ]
        : [t('Your account is active'), t('You can sign in now.')];
  return (
    <AuthLayout site={site} title={title}>
      <p class="hint">{text}</p>
      <a class="button primary" href={signIn}>
        {t('Sign in')}
      </a>
    </AuthLayout>
  );
}
