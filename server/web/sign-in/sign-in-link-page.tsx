import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import type { PageProps } from '../page-props.js';
import { AuthLayout } from './auth-layout.js';
import { SIGN_IN_FORMS } from './paths.js';

/** The page behind a link that signs in once: only its button uses it up. */
export function SignInLinkPage({ site, code }: PageProps<{ readonly code: string }>) {
  return (
    <AuthLayout site={site} title={t('Sign in with this link')}>
      <p class="hint">{t('The link works once. If you did not ask for it, close this page.')}</p>
      <Form action={`/web${SIGN_IN_FORMS.link}`}>
        <input type="hidden" name="code" value={code} />
        <Submit>{t('Sign in')}</Submit>
      </Form>
    </AuthLayout>
  );
}
