import { signInPath } from '../address.js';
import type { Site } from '../site.js';

/**
 * The way to sign in and back to this page. From the answer to a form it opens beside it: what was typed stays, and
 * can be sent once one is signed in.
 */
export function SignInLink({ site, look }: { readonly site: Site; readonly look?: 'primary' | 'quiet' }) {
  return (
    <a
      class={look && `button ${look}`}
      href={signInPath(site)}
      target={site.answersForm ? '_blank' : undefined}
    >
      Sign in
    </a>
  );
}
