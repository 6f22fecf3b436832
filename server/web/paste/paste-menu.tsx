import { t } from '../../../routers/base/language/i18n.js';
import { deletePath, revisionsPath, sharePath, viewsPath } from '../address.js';
import { Icon } from '../components/icon.js';
import { MenuLink } from '../components/list/rows.js';
import { Menu } from '../components/menu.js';
import { FavouriteEntry } from '../edit/favourite.js';
import type { PageProps } from '../page-props.js';
import type { PasteRecord } from '../records.js';
import { mayMake, owns, viewerMay } from '../site.js';

/** What the reader does less often with a paste; nothing for who can only read it. */
export function PasteMenu({
  site: { viewer },
  paste,
  name,
  mayManage,
}: PageProps<{
  readonly paste: PasteRecord;
  readonly name: string;
  readonly mayManage: boolean;
}>) {
  const { uniqueId, burn } = paste;
  const own = owns(viewer, paste.uploader);
  const forks = mayMake(viewer) && !burn && (mayManage || !paste.requiresPassword);
  if (!mayManage && !forks) return null;
  return (
    <Menu look="button plain" name={t('More about {name}', { name })} label={<Icon name="dots" />}>
      <ul>
        {own && <FavouriteEntry kind="paste" uniqueId={uniqueId} favourite={paste.favourite} />}
        {own && !burn && (
          <MenuLink href={sharePath('paste', uniqueId)} icon="link" dialog>
            {t('Share links')}
          </MenuLink>
        )}
        {viewerMay(viewer, 'seeVisitors', paste.uploader) && !burn && (
          <MenuLink href={viewsPath('paste', uniqueId)} icon="chart">
            {t('Views')}
          </MenuLink>
        )}
        {mayManage && !burn && (
          <MenuLink href={revisionsPath(uniqueId)} icon="scroll">
            {t('Revisions')}
          </MenuLink>
        )}
        {forks && (
          <li>
            <form method="post" action={`/web/paste-fork/${encodeURIComponent(uniqueId)}`}>
              <button type="submit">
                <Icon name="copy" />
                {t('Fork')}
              </button>
            </form>
          </li>
        )}
        {mayManage && (
          <MenuLink href={deletePath('paste', uniqueId)} icon="trash">
            {t('Delete')}
          </MenuLink>
        )}
      </ul>
    </Menu>
  );
}
