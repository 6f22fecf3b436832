import type { ComponentChildren } from 'preact';
import { KINDS } from '../../../routers/kinds.js';
import { Submit } from '../components/button.js';
import { Select } from '../components/form/field.js';
import { Form } from '../components/form/form.js';
import { Icon, type IconName } from '../components/icon.js';
import { Heading, Page, type Script } from '../components/page/page.js';
import { Card } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { MediaSettings, UrlSettings } from '../records.js';
import type { Site } from '../site.js';

const places: readonly (readonly [href: string, label: string, icon: IconName])[] = [
  ['/web/settings', 'Profile', 'user'],
  ['/web/settings/links', 'Links', 'link'],
  ['/web/settings/uploads', 'Uploads', 'upload'],
  ['/web/settings/embeds', 'Embeds', 'palette'],
  ['/web/settings/webhook', 'Webhook', 'pulse'],
  ['/web/settings/tools', 'Upload tools', 'tool'],
  ['/web/settings/security', 'Security', 'shield'],
  ['/web/settings/account', 'Account', 'archive'],
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
      <nav class="strip" aria-label="Settings">
        {places.map(([href, label, icon]) => (
          <a key={href} href={href} aria-current={currentOf(site.path, href)}>
            <Icon name={icon} />
            {label}
          </a>
        ))}
      </nav>
      <Heading title={title} lead={lead} />
      {children}
    </Page>
  );
}

const preferences = [
  ['', 'Default (short link)'],
  ['PORTAL', 'Page'],
  ['SHORT', 'Short link'],
  ['RAW', 'Direct link'],
] as const;

/** Which link is offered first. */
export function UrlSettingsPage({ site, settings }: { readonly site: Site; readonly settings: UrlSettings }) {
  return (
    <Settings site={site} title="Links" lead="Which link you get first when you create something.">
      <Card>
        <Form action="/web/settings/links">
          {KINDS.map((kind) => (
            <Select
              key={kind}
              name={kind}
              label={KIND_WORDS[kind].preference}
              value={settings[kind]}
              options={preferences}
            />
          ))}
          <Submit>Save</Submit>
        </Form>
      </Card>
    </Settings>
  );
}

const metadata = [
  ['strip', 'Remove all metadata'],
  ['location', 'Remove the location only'],
  ['keep', 'Keep all metadata'],
] as const;

/** What happens to uploaded files. */
export function MediaSettingsPage({
  site,
  settings,
}: {
  readonly site: Site;
  readonly settings: MediaSettings;
}) {
  return (
    <Settings site={site} title="Uploads" lead="What happens to the files you upload from now on.">
      <Card>
        <Form action="/web/settings/uploads">
          <Select
            name="metadata"
            label="Metadata in images and videos"
            value={settings.metadata}
            options={metadata}
            hint="Location, time, camera and its settings. Anyone who can open a file can read its metadata."
          />
          <Submit>Save</Submit>
        </Form>
      </Card>
    </Settings>
  );
}
