import type { ComponentChildren } from 'preact';
import { t } from '../../../../routers/base/language/i18n.js';

/**
 * The button of a form with a challenge, which `proof.ts` solves before it sends the form. Set `scripts={['proof']}` on
 * the page and `challenge` on the form.
 */
export function Solved({ children }: { readonly children: ComponentChildren }) {
  return (
    <>
      <input type="hidden" name="token" value="" />
      <span class="scripted">{children}</span>
      <p class="hint scripted">{t('A quick check that you’re not a bot.')}</p>
      <noscript>
        <p class="problem">{t('This needs JavaScript, because your browser has to do some work first.')}</p>
      </noscript>
    </>
  );
}
