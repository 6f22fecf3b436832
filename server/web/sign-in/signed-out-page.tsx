import { t } from '../../../routers/base/language/i18n.js';
import { LinkButton } from '../components/button.js';
import type { PageProps } from '../page-props.js';
import { AuthLayout } from './auth-layout.js';

/** After signing out of a session that a provider started: it would sign in again without asking. */
export function SignedOutPage({
  site,
  name,
  label,
}: PageProps<{ readonly name: string; readonly label: string }>) {
  return (
    <AuthLayout site={site} title={t('Signed out')}>
      <p>
        {t(
          'You are signed out here, but perhaps not at {label}: on a shared computer, sign out there, too.',
          { label },
        )}
      </p>
      <LinkButton look="primary" href={`/v1/auth/oidc/${name}/logout`}>
        {t('Sign out of {label}', { label })}
      </LinkButton>
      <p class="hint">
        <a href="/">{t('To the start page')}</a>
      </p>
    </AuthLayout>
  );
}
