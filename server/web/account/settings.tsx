import type { ComponentChildren } from 'preact';
import { type Message, msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { Icon, type IconName } from '../components/icon.js';
import { Heading, Page, type Script } from '../components/page/page.js';
import type { Site } from '../site.js';

const places: readonly (readonly [href: string, label: Message, icon: IconName])[] = [
  ['/web/settings', msg('Profile'), 'user'],
  ['/web/settings/links', msg('Links'), 'link'],
  ['/web/settings/uploads', msg('Uploads'), 'upload'],
  ['/web/settings/embeds', msg('Embeds'), 'palette'],
  ['/web/settings/webhook', msg('Webhook'), 'pulse'],
  ['/web/settings/tools', msg('Upload tools'), 'tool'],
  ['/web/settings/security', msg('Security'), 'shield'],
  ['/web/settings/account', msg('Account'), 'archive'],
];

/** Whether a link leads to the current page, or to a page above it. The first one has all others below it. */
function currentOf(path: string, href: string): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  return href !== places[0]?.[0] && path.startsWith(`${href}/`) ? 'true' : undefined;
}

/** The frame of all settings pages. */
export function Settings({
  site,
  title,
  lead,
  scripts = [],
  children,
}: {
  readonly site: Site;
  readonly title: string;
  readonly lead?: string;
  readonly scripts?: readonly Script[];
  readonly children: ComponentChildren;
}) {
  return (
    <Page site={site} title={title} scripts={scripts}>
      <nav class="strip" aria-label={t('Settings')}>
        {places.map(([href, label, icon]) => (
          <a key={href} href={href} aria-current={currentOf(site.path, href)}>
            <Icon name={icon} />
            {translateMessage(label)}
          </a>
        ))}
      </nav>
      <Heading title={title} lead={lead} />
      {children}
    </Page>
  );
}
