import { KINDS } from '../../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../../routers/base/language/i18n.js';
import { pictureOf } from '../../address.js';
import { type Entry, KIND_WORDS } from '../../kinds.js';
import { ROLE_WORDS } from '../../roles.js';
import { administers, mayMake, moderates, type Site, type Viewer } from '../../site.js';
import { Icon } from '../icon.js';
import { Brand } from './branding.js';
import { SignInLink } from './sign-in.js';

const create: readonly Entry[] = KINDS.map((kind) => KIND_WORDS[kind].create);
const upload = KIND_WORDS.image.create;
const lists: readonly Entry[] = KINDS.map((kind) => KIND_WORDS[kind].list);
const overview: Entry = ['/', msg('Overview'), 'home'];
const own: readonly Entry[] = [
  overview,
  ...lists.slice(0, 1),
  // Beside the uploads of which they consist.
  ['/web/playlists', msg('Playlists'), 'playlist'],
  ['/web/collections', msg('Collections'), 'archive'],
  ['/web/requests', msg('Requests'), 'download'],
  ...lists.slice(1),
  ['/web/find', msg('Find'), 'search'],
  ['/web/mailboxes', msg('Mailboxes'), 'mail'],
  ['/web/trash', msg('Trash'), 'trash'],
];
const settings: readonly Entry[] = [['/web/settings', msg('Settings'), 'gear']];
const moderation: readonly Entry[] = [['/web/moderation', msg('Reports'), 'eye']];
const administration: readonly Entry[] = [
  ['/web/admin/users', msg('People'), 'users'],
  ['/web/admin/invites', msg('Invites'), 'ticket'],
  ['/web/admin/limits', msg('Limits'), 'chart'],
  ['/web/admin/content', msg('Content'), 'search'],
  ['/web/admin/blocks', msg('Blocks'), 'lock'],
  ['/web/admin/queues', msg('Queues'), 'archive'],
  ['/web/admin/branding', msg('Appearance'), 'palette'],
  ['/web/admin/audit', msg('Audit log'), 'shield'],
  ['/web/admin/system', msg('System'), 'pulse'],
];
/** The bar at the bottom of the screen on a phone. */
const tabs: readonly Entry[] = [overview, ...lists.slice(0, 1), upload, ...lists.slice(1)];

/** The bar at the top of every page: the name, the links for creating something, and the account menu. */
export function TopBar({ site }: { readonly site: Site }) {
  return (
    <header class="top">
      <a class="brand" href="/">
        <Brand site={site} />
      </a>
      {mayMake(site.viewer) && (
        <nav class="make" aria-label={t('Create')}>
          {create.map((entry) => (
            <NavLink key={entry[0]} site={site} entry={entry} />
          ))}
        </nav>
      )}
      {site.viewer === null ? <Visitor site={site} /> : <Account viewer={site.viewer} />}
    </header>
  );
}

/** The navigation of a signed-in user; on a phone a bar at the bottom has the most important pages. */
export function Sidebar({ site }: { readonly site: Site }) {
  return (
    <>
      <nav class="side" aria-label={t('Main')}>
        <Group site={site} entries={own} />
        <Group site={site} entries={settings} />
        {moderates(site.viewer) && <Group site={site} title={t('Moderation')} entries={moderation} />}
        {administers(site.viewer) && (
          <Group site={site} title={t('Administration')} entries={administration} />
        )}
      </nav>
      <nav class="tabs" aria-label={t('Quick navigation')}>
        {tabs
          .filter((entry) => entry !== upload || mayMake(site.viewer))
          .map((entry) => (
            <NavLink key={entry[0]} site={site} entry={entry} />
          ))}
      </nav>
    </>
  );
}

function Group({
  site,
  title,
  entries,
}: {
  readonly site: Site;
  readonly title?: string;
  readonly entries: readonly Entry[];
}) {
  return (
    <>
      {title && <p class="group">{title}</p>}
      <ul>
        {entries.map((entry) => (
          <li key={entry[0]}>
            <NavLink site={site} entry={entry} />
          </li>
        ))}
      </ul>
    </>
  );
}

function NavLink({ site, entry: [href, label, icon] }: { readonly site: Site; readonly entry: Entry }) {
  const here = site.path === href || (href !== '/' && site.path.startsWith(`${href}/`));
  return (
    <a href={href} aria-current={here ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{translateMessage(label)}</span>
    </a>
  );
}

function Visitor({ site }: { readonly site: Site }) {
  return (
    <nav class="visitor" aria-label={t('Account')}>
      <SignInLink site={site} look="quiet" />
    </nav>
  );
}

function Account({ viewer }: { readonly viewer: Viewer }) {
  const entries = [
    ...own,
    ...settings,
    ...(moderates(viewer) ? moderation : []),
    ...(administers(viewer) ? administration : []),
  ];
  return (
    <details class="menu" data-menu>
      <summary aria-label={t('Account menu of {username}', { username: viewer.username })}>
        <img src={pictureOf(viewer)} alt="" width="32" height="32" />
      </summary>
      <div class="sheet">
        <p class="who">
          <span dir="auto">{viewer.username}</span>{' '}
          <span class="hint">{translateMessage(ROLE_WORDS[viewer.role])}</span>
        </p>
        <ul>
          {entries.map(([href, label, icon]) => (
            <li key={href}>
              <a href={href}>
                <Icon name={icon} />
                {translateMessage(label)}
              </a>
            </li>
          ))}
        </ul>
        <form method="post" action="/web/logout">
          <button type="submit" class="button quiet">
            <Icon name="leave" />
            {t('Sign out')}
          </button>
        </form>
      </div>
    </details>
  );
}
