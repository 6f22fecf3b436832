import { t } from '../../../../routers/base/language/i18n.js';
import type { Site } from '../../site.js';

/**
 * Scripts change the theme in place. Without scripts the form leads back to the page. The answer to a form cannot be
 * returned to, so there the form opens the start page in a new tab.
 */
export function Themes({ site }: { readonly site: Site }) {
  return (
    <form
      method="post"
      action="/web/theme"
      class="themes"
      aria-label={t('Theme')}
      target={site.answersForm ? '_blank' : undefined}
      data-themes
    >
      <input type="hidden" name="next" value={site.answersForm ? '/' : site.address} />
      {(['auto', 'light', 'dark'] as const).map((theme) => (
        <button type="submit" key={theme} name="theme" value={theme} aria-pressed={site.theme === theme}>
          {theme === 'auto' ? t('System') : theme === 'light' ? t('Light') : t('Dark')}
        </button>
      ))}
    </form>
  );
}
