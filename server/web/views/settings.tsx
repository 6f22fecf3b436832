import type { ComponentChildren } from 'preact';
import { Submit } from '../components/button.js';
import { Select } from '../components/field.js';
import { Form } from '../components/form.js';
import { Icon, type IconName } from '../components/icon.js';
import { Heading, Page, type Script } from '../components/page.js';
import { Card } from '../components/parts.js';
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

/** Whether a place is where the reader is, or has that page below it. The first of them has every other below it. */
function currentOf(path: string, href: string): 'page' | 'true' | undefined {
  if (path === href) return 'page';
  return href !== places[0]?.[0] && path.startsWith(`${href}/`) ? 'true' : undefined;
}

/** The frame around every page of settings. */
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
  ['', 'Short link'],
  ['PORTAL', 'Page'],
  ['SHORT', 'Short link, always'],
  ['RAW', 'The content itself'],
] as const;

/** Which address is handed out first. */
export function UrlSettingsPage({ site, settings }: { readonly site: Site; readonly settings: UrlSettings }) {
  return (
    <Settings site={site} title="Links" lead="Which address you get first when something is made.">
      <Card>
        <Form action="/web/settings/links">
          <Select name="image" label="For pictures and files" value={settings.image} options={preferences} />
          <Select name="paste" label="For pastes" value={settings.paste} options={preferences} />
          <Select name="url" label="For short links" value={settings.url} options={preferences} />
          <Submit>Save</Submit>
        </Form>
      </Card>
    </Settings>
  );
}

const metadata = [
  ['strip', 'Remove it all'],
  ['location', 'Remove the place only'],
  ['keep', 'Keep it'],
] as const;

/** What happens to files on their way in. */
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
            label="What a camera has written into a picture or a video"
            value={settings.metadata}
            options={metadata}
            hint="The place, the time, the camera and its settings. Whoever may open a file can read them."
          />
          <Submit>Save</Submit>
        </Form>
      </Card>
    </Settings>
  );
}
