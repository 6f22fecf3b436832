import { msg, translateMessage } from '../../../../routers/base/language/i18n.js';
import type { Message } from '../../../../routers/base/language/message.js';
import type { Entry } from '../../kinds.js';
import { administers, moderates, type Site, type Viewer } from '../../site.js';
import { Icon, type IconName } from '../icon.js';

/** Pages that belong together: one entry of the navigation, under which they are; on a phone tabs on each of them. */
export interface Section {
  readonly title: Message;
  readonly icon: IconName;
  readonly places: readonly Entry[];
}

const settings: Section = {
  title: msg('Settings'),
  icon: 'gear',
  places: [
    ['/web/settings', msg('Profile'), 'user'],
    ['/web/settings/sharing', msg('Sharing'), 'link'],
    ['/web/settings/domains', msg('Domains'), 'globe'],
    ['/web/settings/campaigns', msg('Campaigns'), 'tag'],
    ['/web/settings/webhook', msg('Webhook'), 'bell'],
    ['/web/settings/tools', msg('Upload tools'), 'tool'],
    ['/web/settings/security', msg('Sign-in'), 'lock'],
    ['/web/settings/security/keys', msg('API keys'), 'key'],
    ['/web/settings/account', msg('Account'), 'shield'],
  ],
};
const moderation: readonly Entry[] = [['/web/moderation', msg('Reports'), 'flag']];
const administration: readonly Entry[] = [
  ['/web/admin/users', msg('People'), 'users'],
  ...moderation,
  ['/web/admin/invites', msg('Invites'), 'ticket'],
  ['/web/admin/domains', msg('Domains'), 'globe'],
  ['/web/admin/limits', msg('Limits'), 'gauge'],
  ['/web/admin/content', msg('Content'), 'grid'],
  ['/web/admin/blocks', msg('Blocks'), 'block'],
  ['/web/admin/queues', msg('Queues'), 'refresh'],
  ['/web/admin/settings', msg('Settings'), 'gear'],
  ['/web/admin/branding', msg('Appearance'), 'palette'],
  ['/web/admin/audit', msg('Audit log'), 'scroll'],
  ['/web/admin/system', msg('System'), 'pulse'],
];

/** The sections that this viewer has. */
export function sectionsOf(viewer: Viewer | null): readonly Section[] {
  if (viewer === null) return [];
  if (administers(viewer))
    return [settings, { title: msg('Administration'), icon: 'shield', places: administration }];
  return moderates(viewer)
    ? [settings, { title: msg('Moderation'), icon: 'flag', places: moderation }]
    : [settings];
}

/** The place that a path is, or that it is below; of several the nearest. Null for none. */
export const currentOf = (path: string, places: readonly Entry[]): Entry | null =>
  places.reduce<Entry | null>((nearest, place) => {
    const [href] = place;
    const within = path === href || path.startsWith(`${href}/`);
    return within && href.length > (nearest?.[0].length ?? 0) ? place : nearest;
  }, null);

/** The tabs of the section that the page belongs to, if it has more than one. */
export function SectionTabs({ site }: { readonly site: Site }) {
  const section = sectionsOf(site.viewer).find(({ places }) => currentOf(site.path, places) !== null);
  if (section === undefined || section.places.length === 1) return null;
  const current = currentOf(site.path, section.places);
  return (
    <nav class="section" aria-label={translateMessage(section.title)}>
      <p>{translateMessage(section.title)}</p>
      <div class="strip">
        {section.places.map((place) => {
          const [href, label, icon] = place;
          return (
            <a
              key={href}
              href={href}
              aria-current={place !== current ? undefined : site.path === href ? 'page' : 'true'}
            >
              <Icon name={icon} />
              {translateMessage(label)}
            </a>
          );
        })}
      </div>
    </nav>
  );
}
