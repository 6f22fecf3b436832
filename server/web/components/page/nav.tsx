import { KINDS } from '../../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../../routers/base/language/i18n.js';
import { pictureOf } from '../../address.js';
import { type Entry, KIND_WORDS } from '../../kinds.js';
import { ROLE_WORDS } from '../../roles.js';
import { mayMake, type Site, type Viewer } from '../../site.js';
import { Icon } from '../icon.js';
import { Menu } from '../menu.js';
import { Brand } from './branding.js';
import { currentOf, type Section, sectionsOf } from './section.js';
import { SignInLink } from './sign-in.js';
import { Themes } from './themes.js';

const create: readonly Entry[] = KINDS.map((kind) => KIND_WORDS[kind].create);
const upload = KIND_WORDS.image.create;
const overview: Entry = ['/', msg('Overview'), 'home'];
const library = KIND_WORDS.image.list;
const collections: Entry = ['/web/collections', msg('Collections'), 'album'];
const own: readonly (readonly Entry[])[] = [
  [overview, library, collections],
  [
    KIND_WORDS.paste.list,
    KIND_WORDS.url.list,
    ['/web/requests', msg('Requests'), 'inbox'],
    ['/web/mailboxes', msg('Mailboxes'), 'mail'],
  ],
];
const trash: Entry = ['/web/trash', msg('Trash'), 'trash'];
const SEARCH = '/web/find';
/** The navigation, which the last entry of the bar at the bottom opens on a phone. */
const SIDE = 'side';

/** The bar at the top of every page: the name, the search, what can be created, and the account menu. */
export function TopBar({ site }: { readonly site: Site }) {
  return (
    <header class="top">
      <a class="brand" href="/">
        <Brand site={site} />
      </a>
      {site.viewer === null ? (
        !site.unowned && <SignInLink site={site} look="quiet" />
      ) : (
        <>
          {site.path !== SEARCH && <SearchAll />}
          {mayMake(site.viewer) && <Create site={site} />}
          <Account site={site} viewer={site.viewer} />
        </>
      )}
    </header>
  );
}

/** On a phone it is an icon that leads to the search. */
function SearchAll() {
  return (
    <search class="find-all">
      <form action={SEARCH}>
        <Icon name="search" />
        <input type="search" name="search" placeholder={t('Search')} aria-label={t('Search everything')} />
      </form>
      <a class="button quiet" href={SEARCH} aria-label={t('Search everything')}>
        <Icon name="search" />
      </a>
    </search>
  );
}

function Create({ site }: { readonly site: Site }) {
  return (
    <Menu
      look="button primary create"
      name={t('New')}
      label={
        <>
          <Icon name="plus" />
          <span>{t('New')}</span>
        </>
      }
    >
      <Links site={site} entries={create} />
    </Menu>
  );
}

function Account({ site, viewer }: { readonly site: Site; readonly viewer: Viewer }) {
  return (
    <Menu
      look="portrait-button"
      name={t('Account menu of {username}', { username: viewer.username })}
      label={<img src={pictureOf(viewer)} alt="" width="32" height="32" />}
    >
      <p class="who">
        <span dir="auto">{viewer.username}</span>{' '}
        <span class="hint">{translateMessage(ROLE_WORDS[viewer.role])}</span>
      </p>
      <Themes site={site} />
      <ul>
        <li>
          <a href="/web/settings">
            <Icon name="gear" />
            {t('Settings')}
          </a>
        </li>
        <li>
          <a href="/web/settings#language">
            <Icon name="globe" />
            {t('Language')}
          </a>
        </li>
        <li class="scripted">
          <button type="button" data-shortcuts>
            <Icon name="keyboard" />
            {t('Keyboard shortcuts')}
          </button>
        </li>
      </ul>
      <form method="post" action="/web/logout">
        <button type="submit">
          <Icon name="leave" />
          {t('Sign out')}
        </button>
      </form>
    </Menu>
  );
}

/** The navigation of a signed-in user; on a phone a bar at the bottom has the most important pages, and opens the rest. */
export function Sidebar({ site }: { readonly site: Site }) {
  const sections = sectionsOf(site.viewer);
  const open = sections.find(({ places }) => currentOf(site.path, places) !== null);
  return (
    <>
      <nav id={SIDE} class="side" popover="auto" aria-label={t('Main')}>
        {own.map((entries) => (
          <Links key={entries[0]?.[0]} site={site} entries={entries} />
        ))}
        <ul>
          <li>
            <NavLink site={site} entry={trash} />
          </li>
          {sections.map((section) => (
            <li key={section.icon}>
              <SectionLink section={section} isOpen={section === open} />
              {section === open && section.places.length > 1 && <Within site={site} section={section} />}
            </li>
          ))}
        </ul>
      </nav>
      <nav class="tabs" aria-label={t('Quick navigation')}>
        {[overview, library, ...(mayMake(site.viewer) ? [upload] : []), collections].map((entry) => (
          <NavLink key={entry[0]} site={site} entry={entry} />
        ))}
        <button type="button" popovertarget={SIDE}>
          <Icon name="menu" />
          <span>{t('More')}</span>
        </button>
      </nav>
    </>
  );
}

const Links = ({ site, entries }: { readonly site: Site; readonly entries: readonly Entry[] }) => (
  <ul>
    {entries.map((entry) => (
      <li key={entry[0]}>
        <NavLink site={site} entry={entry} />
      </li>
    ))}
  </ul>
);

function NavLink({ site, entry }: { readonly site: Site; readonly entry: Entry }) {
  const [href, label, icon] = entry;
  return (
    <a href={href} aria-current={currentOf(site.path, [entry]) === null ? undefined : 'page'}>
      <Icon name={icon} />
      <span>{translateMessage(label)}</span>
    </a>
  );
}

const SectionLink = ({ section, isOpen }: { readonly section: Section; readonly isOpen: boolean }) => (
  <a href={section.places[0]?.[0] ?? '/'} aria-current={isOpen ? 'true' : undefined}>
    <Icon name={section.icon} />
    <span>{translateMessage(section.title)}</span>
  </a>
);

/** The pages of the section that this page is in; on a phone they are tabs of the page instead. */
function Within({ site, section }: { readonly site: Site; readonly section: Section }) {
  const current = currentOf(site.path, section.places);
  return (
    <ul class="within">
      {section.places.map((place) => {
        const [href, label] = place;
        return (
          <li key={href}>
            <a href={href} aria-current={place === current ? 'page' : undefined}>
              {translateMessage(label)}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
