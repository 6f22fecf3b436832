import type { OwnedKind } from '../../../routers/base/kinds.js';
import { t } from '../../../routers/base/language/i18n.js';
import { favouritePath } from '../address.js';
import { Icon } from '../components/icon.js';

/** Marks something of the viewer as a favourite, or no longer; says to those who hear it which it is. */
export const FavouriteButton = ({
  kind,
  uniqueId,
  favourite,
}: {
  readonly kind: OwnedKind;
  readonly uniqueId: string;
  readonly favourite: boolean;
}) => (
  <form class="inline" method="post" action={favouritePath(kind, uniqueId)}>
    <input type="hidden" name="favourite" value={String(!favourite)} />
    <button type="submit" class="button quiet" aria-pressed={favourite}>
      <Icon name="star" />
      {t('Favourite')}
    </button>
  </form>
);

/** The same in a menu; in that of a row, after which the list is shown again. */
export const FavouriteEntry = ({
  kind,
  uniqueId,
  favourite,
  back,
}: {
  readonly kind: OwnedKind;
  readonly uniqueId: string;
  readonly favourite: boolean;
  /** The path of the list. */
  readonly back?: string;
}) => (
  <li>
    <form method="post" action={favouritePath(kind, uniqueId)}>
      <input type="hidden" name="favourite" value={String(!favourite)} />
      {back && <input type="hidden" name="back" value={back} />}
      <button type="submit" aria-pressed={favourite}>
        <Icon name="star" />
        {t('Favourite')}
      </button>
    </form>
  </li>
);
