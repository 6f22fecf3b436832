import { t } from '../../../../routers/base/language/i18n.js';
import type { Site } from '../../site.js';
import { Switch } from '../form/switch.js';

/** Scripts change the theme in place. */
export const Themes = ({ site }: { readonly site: Site }) => (
  <Switch
    site={site}
    action="/web/theme"
    name="theme"
    label={t('Theme')}
    chosen={site.theme}
    options={[
      ['auto', t('System')],
      ['light', t('Light')],
      ['dark', t('Dark')],
    ]}
    home="/"
    data-themes
  />
);
