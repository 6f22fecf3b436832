import { t } from '../../../routers/base/language/i18n.js';
import { Switch } from '../components/form/switch.js';
import type { Site } from '../site.js';

/** How large the tiles of the library are. */
export type Tiles = 'small' | 'medium' | 'large';

/** Where a browser keeps how large it shows them. */
export const TILES_COOKIE = 'tiles';

/** The size by its name; the usual one for any other. */
export const tilesOf = (name: string | null): Tiles =>
  name === 'small' || name === 'large' ? name : 'medium';

/** The choice of the size. */
export const TilesSwitch = ({ site, chosen }: { readonly site: Site; readonly chosen: Tiles }) => (
  <Switch
    site={site}
    action="/web/library/tiles"
    name="tiles"
    label={t('Size of the pictures')}
    chosen={chosen}
    options={[
      ['small', t('Small'), 'S'],
      ['medium', t('Medium'), 'M'],
      ['large', t('Large'), 'L'],
    ]}
    home="/web/library"
  />
);
