import type { ComponentChildren } from 'preact';
import { t } from '../../../../routers/base/language/i18n.js';
import { Icon, type IconName } from '../icon.js';
import { Menu } from '../menu.js';
import { Sign } from '../parts.js';

/** What a row shows of a thing. */
export interface Row {
  /** Its name, in ink; the whole row leads to `href`. */
  readonly name: string;
  readonly href?: string | undefined;
  /** A small picture of it, or the icon of what it is. */
  readonly mark?: { readonly picture?: string | null; readonly icon: IconName; readonly kind?: string };
  /** Signs beside the name. */
  readonly signs?: ComponentChildren;
  /** The line below: what is worth knowing, apart. Nothing stands for what is null. */
  readonly line: readonly (ComponentChildren | null)[];
  /** Below that, of some: what a search found. */
  readonly more?: ComponentChildren;
  /** Actions in sight. On a phone only those of the class `stays`. */
  readonly actions?: ComponentChildren;
  /** Entries of a menu for what is done less often. */
  readonly menu?: ComponentChildren;
}

/** Things under each other: a name and one line each, the same on a phone. */
export function Rows<T>({
  rows,
  rowKey,
  row,
  pick,
}: {
  readonly rows: readonly T[];
  readonly rowKey: (thing: T) => string | number;
  readonly row: (thing: T) => Row;
  /** The box to tick of a thing. */
  readonly pick?: ((thing: T) => ComponentChildren) | undefined;
}) {
  return (
    <ul class="things">
      {rows.map((thing) => (
        <Thing key={rowKey(thing)} {...row(thing)} pick={pick?.(thing)} />
      ))}
    </ul>
  );
}

function Thing({
  name,
  href,
  mark,
  signs,
  line,
  more,
  actions,
  menu,
  pick,
}: Row & { readonly pick: ComponentChildren }) {
  return (
    <li>
      {pick && <span class="pick">{pick}</span>}
      {mark && (
        <span class={mark.kind ? `thumb ${mark.kind}` : 'thumb'}>
          {mark.picture ? <img src={mark.picture} alt="" loading="lazy" /> : <Icon name={mark.icon} />}
        </span>
      )}
      <div class="what">
        <p class="name">
          {href ? (
            <a href={href} dir="auto" title={name}>
              {name}
            </a>
          ) : (
            <span dir="auto">{name}</span>
          )}
          {signs}
        </p>
        <Line of={line} />
        {more}
      </div>
      {(actions || menu) && (
        <div class="actions">
          {actions}
          {menu && (
            <Menu
              look="button quiet stays"
              name={t('More about {name}', { name })}
              label={<Icon name="dots" />}
            >
              <ul>{menu}</ul>
            </Menu>
          )}
        </div>
      )}
    </li>
  );
}

/** What is worth knowing of a thing, in one line: what matters most comes first, as a phone may have no room for the rest. */
export const Line = ({ of }: { readonly of: readonly (ComponentChildren | null)[] }) => (
  <p class="line">
    {of
      .filter((part) => part !== null && part !== '')
      .map((part, index) => (
        <span key={index}>{part}</span>
      ))}
  </p>
);

/** An entry of a menu that leads somewhere; `dialog` as for `LinkButton`. */
export const MenuLink = ({
  href,
  icon,
  dialog,
  children,
}: {
  readonly href: string;
  readonly icon: IconName;
  readonly dialog?: boolean;
  readonly children: ComponentChildren;
}) => (
  <li>
    <a href={href} data-dialog={dialog}>
      <Icon name={icon} />
      {children}
    </a>
  </li>
);

/** An entry of the menu of a row that copies; only with scripts. */
export const MenuCopy = ({
  text,
  children,
}: {
  readonly text: string;
  readonly children: ComponentChildren;
}) => (
  <li class="scripted">
    <button type="button" data-copy={text}>
      <Icon name="copy" />
      {children}
    </button>
  </li>
);

/** Signs of who can open a thing, whether it ends and whether it is marked; none for one that anyone can open, for good. */
export const AccessSigns = ({
  requiresPassword,
  isPublic,
  expiresAt = null,
  favourite = false,
}: {
  readonly requiresPassword: boolean;
  readonly isPublic: boolean;
  readonly expiresAt?: string | null;
  readonly favourite?: boolean;
}) => (
  <>
    {(requiresPassword || !isPublic) && (
      <Sign
        icon={requiresPassword ? 'key' : 'lock'}
        says={requiresPassword ? t('Password-protected') : t('Private')}
      />
    )}
    {expiresAt && <Sign icon="clock" says={t('Expires')} />}
    {favourite && <Sign icon="star" says={t('Favourite')} />}
  </>
);
