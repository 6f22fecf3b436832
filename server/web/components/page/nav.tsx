import { KINDS } from '../../../../routers/kinds.js';
import { pictureOf } from '../../address.js';
import { type Entry, KIND_WORDS } from '../../kinds.js';
import { administers, mayMake, type Site, type Viewer } from '../../site.js';
import { Icon } from '../icon.js';
import { SignInLink } from './sign-in.js';

const create: readonly Entry[] = KINDS.map((kind) => KIND_WORDS[kind].create);
const upload = KIND_WORDS.image.create;
const lists: readonly Entry[] = KINDS.map((kind) => KIND_WORDS[kind].list);
const overview: Entry = ['/', 'Overview', 'home'];
const own: readonly Entry[] = [
  overview,
  ...lists.slice(0, 1),
  // Beside the uploads of which they consist.
  ['/web/playlists', 'Playlists', 'playlist'],
  ...lists.slice(1),
  ['/web/mailboxes', 'Mailboxes', 'mail'],
];
const settings: readonly Entry[] = [['/web/settings', 'Settings', 'gear']];
const administration: readonly Entry[] = [
  ['/web/admin/users', 'People', 'users'],
  ['/web/admin/invites', 'Invites', 'ticket'],
  ['/web/admin/content', 'Content', 'search'],
  ['/web/admin/queues', 'Queues', 'archive'],
  ['/web/admin/audit', 'Audit log', 'shield'],
  ['/web/admin/system', 'System', 'pulse'],
];
/** The bar at the bottom of the screen on a phone. */
const tabs: readonly Entry[] = [overview, ...lists.slice(0, 1), upload, ...lists.slice(1)];

/** The bar at the top of every page: the name, the links for creating something, and the account menu. */
export function TopBar({ site }: { readonly site: Site }) {
  return (
    <header class="top">
      <a class="brand" href="/">
        <Icon name="bag" />
        Holdall
      </a>
      {mayMake(site.viewer) && (
        <nav class="make" aria-label="Create">
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
      <nav class="side" aria-label="Main">
        <Group site={site} entries={own} />
        <Group site={site} entries={settings} />
        {administers(site.viewer) && <Group site={site} title="Administration" entries={administration} />}
      </nav>
      <nav class="tabs" aria-label="Quick navigation">
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
      <span>{label}</span>
    </a>
  );
}

function Visitor({ site }: { readonly site: Site }) {
  return (
    <nav class="visitor" aria-label="Account">
      <SignInLink site={site} look="quiet" />
    </nav>
  );
}

function Account({ viewer }: { readonly viewer: Viewer }) {
  const entries = [...own, ...settings, ...(administers(viewer) ? administration : [])];
  return (
    <details class="menu" data-menu>
      <summary aria-label={`Account menu of ${viewer.username}`}>
        <img src={pictureOf(viewer)} alt="" width="32" height="32" />
      </summary>
      <div class="sheet">
        <p class="who">
          <span dir="auto">{viewer.username}</span> <span class="hint">{viewer.role.toLowerCase()}</span>
        </p>
        <ul>
          {entries.map(([href, label, icon]) => (
            <li key={href}>
              <a href={href}>
                <Icon name={icon} />
                {label}
              </a>
            </li>
          ))}
        </ul>
        <form method="post" action="/web/logout">
          <button type="submit" class="button quiet">
            <Icon name="leave" />
            Sign out
          </button>
        </form>
      </div>
    </details>
  );
}
