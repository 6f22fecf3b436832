import { t } from '../../../../routers/language/speech.js';
import { signInPath } from '../../address.js';
import type { Site } from '../../site.js';

/**
 * A link to sign in and return to this page. From the response to a form it opens in a new tab: the input is kept and
 * can be sent after signing in.
 */
export function SignInLink({ site, look }: { readonly site: Site; readonly look?: 'primary' | 'quiet' }) {
  return (
    <a
      class={look && `button ${look}`}
      href={signInPath(site)}
      target={site.answersForm ? '_blank' : undefined}
    >
      {t('Sign in')}
    </a>
  );
}
