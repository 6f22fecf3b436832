import type { ComponentChildren } from 'preact';
import { t } from '../../../../routers/base/language/i18n.js';
import { signInPath } from '../../address.js';
import type { Site } from '../../site.js';

/**
 * A link to sign in and return to this page. From the response to a form it opens in a new tab: the input is kept and
 * can be sent after signing in.
 */
export function SignInLink({
  site,
  look,
  children = t('Sign in'),
}: {
  readonly site: Site;
  readonly look?: 'primary' | 'quiet';
  /** Its words, where it stands in a sentence. */
  readonly children?: ComponentChildren;
}) {
  return (
    <a
      class={look && `button ${look}`}
      href={signInPath(site)}
      target={site.answersForm ? '_blank' : undefined}
    >
      {children}
    </a>
  );
}
