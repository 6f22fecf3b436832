import { t } from '../../../routers/base/language/i18n.js';
import { entryAnchor } from '../address.js';
import { Icon, type IconName } from '../components/icon.js';
import { thumbnailOf } from '../components/item/media.js';
import { Menu } from '../components/menu.js';
import { Badge } from '../components/parts.js';
import { placeholderUrl } from '../image/placeholder.js';
import type { CollectionFile } from '../records.js';
import { asOpened } from './tree.js';

/** A file of a collection on its owner's page, with what can be done with it there. */
export function Entry({
  item,
  path,
  href,
  isCover,
  orders,
  removes,
  first,
  last,
  beside,
}: {
  readonly item: CollectionFile;
  readonly path: string;
  /** The page of the file. */
  readonly href: string;
  readonly isCover: boolean;
  /** Whether the viewer orders the files, and may take this one out. */
  readonly orders: boolean;
  readonly removes: boolean;
  readonly first: boolean;
  readonly last: boolean;
  /** Its neighbour, which keeps the place once it is removed. */
  readonly beside: string;
}) {
  const name = item.path;
  const picture =
    thumbnailOf(item.fileUrl === null ? item : asOpened(item)) ?? placeholderUrl(item.thumbhash);
  return (
    <li id={entryAnchor(item.uniqueId)}>
      <span class="thumb">
        {picture ? <img src={picture} alt="" loading="lazy" /> : <Icon name="file" />}
        {isCover && <Badge look="good">{t('Cover')}</Badge>}
      </span>
      <a href={href} dir="auto" title={name}>
        {name}
      </a>
      <form class="corner" method="post" action={path}>
        <input type="hidden" name="id" value={item.uniqueId} />
        <input type="hidden" name="beside" value={beside} />
        {(orders || removes) && (
          <Menu look="over" name={t('More about {name}', { name })} label={<Icon name="dots" />}>
            <ul>
              {orders && (
                <>
                  <Action value="top" icon="top" label={t('Move to the top')} disabled={first} />
                  <Action value="up" icon="up" label={t('Move up')} disabled={first} />
                  <Action value="down" icon="down" label={t('Move down')} disabled={last} />
                  {!isCover && <Action value="cover" icon="image" label={t('Make it the cover')} />}
                </>
              )}
              {removes && <Action value="remove" icon="x" label={t('Remove')} />}
            </ul>
          </Menu>
        )}
      </form>
    </li>
  );
}

function Action({
  value,
  icon,
  label,
  disabled = false,
}: {
  readonly value: string;
  readonly icon: IconName;
  readonly label: string;
  readonly disabled?: boolean;
}) {
  return (
    <li>
      <button type="submit" name="action" value={value} disabled={disabled}>
        <Icon name={icon} />
        {label}
      </button>
    </li>
  );
}
