import type { ComponentChildren } from 'preact';
import type { Social } from '../../../routers/socials.js';
import { pictureOf } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Check, Field, Select, TextArea } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import { Icon, type IconName } from '../components/icon.js';
import { Heading, Page, type Script } from '../components/page.js';
import { Card, CopyField, Facts, Time } from '../components/parts.js';
import type { FullUser, UrlSettings, WebhookSettings } from '../records.js';
import type { Site } from '../site.js';

const places: readonly (readonly [href: string, label: string, icon: IconName])[] = [
  ['/web/settings', 'Profile', 'user'],
  ['/web/settings/links', 'Links', 'link'],
  ['/web/settings/embeds', 'Embeds', 'palette'],
  ['/web/settings/webhook', 'Webhook', 'pulse'],
  ['/web/settings/tools', 'Upload tools', 'tool'],
  ['/web/settings/security', 'Security', 'shield'],
  ['/web/settings/account', 'Account', 'archive'],
];

/** Names of the social networks of contract §3, with what is asked for. */
const networks: readonly (readonly [name: Social, label: string])[] = [
  ['website', 'Website'],
  ['twitter', 'X (Twitter)'],
  ['github', 'GitHub'],
  ['gitlab', 'GitLab'],
  ['discord', 'Discord'],
  ['telegram', 'Telegram'],
  ['vk', 'VK'],
  ['facebook', 'Facebook'],
  ['instagram', 'Instagram'],
  ['youtube', 'YouTube'],
  ['twitch', 'Twitch'],
  ['steam', 'Steam'],
  ['reddit', 'Reddit'],
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['snapchat', 'Snapchat'],
  ['whatsapp', 'WhatsApp'],
  ['soundcloud', 'SoundCloud'],
  ['spotify', 'Spotify'],
  ['threads', 'Threads'],
  ['email', 'E-mail'],
  ['messenger', 'Messenger'],
];

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
          <a key={href} href={href} aria-current={site.path === href ? 'page' : undefined}>
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

/** Who one is to others: picture and where else one is found. */
export function ProfilePage({
  site,
  user,
  state = untouched,
}: {
  readonly site: Site;
  readonly user: FullUser;
  readonly state?: FormState | undefined;
}) {
  return (
    <Settings site={site} title="Profile">
      <Card title="Picture">
        <Form action="/web/settings/avatar" files>
          <div class="portrait">
            <img src={pictureOf(user)} alt="As others see you" width="72" height="72" />
            <div class="field">
              <label for="file">A new picture</label>
              <input id="file" type="file" name="file" accept="image/*" required />
            </div>
          </div>
          <Submit look="plain" icon="upload">
            Use it
          </Submit>
        </Form>
      </Card>
      <Card title="Elsewhere" hint="Others see these beside your name. Leave empty what they need not know.">
        <Form action="/web/settings" state={state}>
          <div class="pair">
            {networks.map(([name, label]) => (
              <Field
                key={name}
                name={name}
                label={label}
                value={user.socials[name] ?? null}
                error={state.errors[name]}
                maxLength={200}
                spellcheck={false}
              />
            ))}
          </div>
          <Submit>Save</Submit>
        </Form>
      </Card>
    </Settings>
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

/** How uploads look in chats, shown while it is typed. */
export function EmbedPage({
  site,
  settings,
  username,
  state = untouched,
}: {
  readonly site: Site;
  readonly settings: WebhookSettings;
  readonly username: string;
  readonly state?: FormState | undefined;
}) {
  return (
    <Settings
      site={site}
      title="Embeds"
      lead="How your uploads look when a chat application unfurls their link."
      scripts={['embed']}
    >
      <div class="columns">
        <Card>
          <Form action="/web/settings/embeds" state={state} script="embed">
            <Check name="enabled" label="Give my uploads this look" checked={settings.enabled} />
            <Field name="authorName" label="Name over it" value={settings.authorName} maxLength={200} />
            <Field
              name="title"
              label="Title"
              value={settings.title}
              error={state.errors.title}
              maxLength={200}
            />
            <Field
              name="titleUrl"
              label="The title leads to"
              value={settings.titleUrl}
              error={state.errors.titleUrl}
              maxLength={500}
              inputMode="url"
            />
            <TextArea
              name="description"
              label="Description"
              value={settings.description}
              maxLength={1000}
              rows={3}
            />
            <Field
              name="color"
              label="Colour"
              value={settings.color}
              error={state.errors.color}
              maxLength={7}
              hint="#rgb, #rrggbb or random"
              spellcheck={false}
            />
            <Submit>Save</Submit>
          </Form>
        </Card>
        <Card
          title="Looks like this"
          hint="{uid} {size} {filetype} {uploader} {username} and {url} stand for what they say."
        >
          <div class="embed" data-embed data-username={username}>
            <span class="author" data-part="authorName">
              {settings.authorName}
            </span>
            <span class="title" data-part="title">
              {settings.title}
            </span>
            <span class="described" data-part="description">
              {settings.description}
            </span>
            <span class="sample">
              <Icon name="image" />
            </span>
          </div>
        </Card>
      </div>
    </Settings>
  );
}

const events = [
  ['image.created', 'An upload was made'],
  ['image.deleted', 'An upload was deleted'],
  ['paste.created', 'A paste was made'],
  ['url.created', 'A link was made'],
  ['url.exhausted', 'A link was used up'],
] as const;
const formats = [
  ['discord', 'Discord'],
  ['slack', 'Slack'],
  ['json', 'JSON, signed'],
] as const;

/** One delivery of the outgoing webhook. */
export interface Delivery {
  readonly id: number;
  readonly event: string;
  readonly at: string;
  /** HTTP status, or a short reason; null while it waits. */
  readonly outcome: string | null;
  readonly ok: boolean;
}

/** Where events are sent, and what became of the latest. */
export function WebhookPage({
  site,
  settings,
  deliveries,
  state = untouched,
}: {
  readonly site: Site;
  readonly settings: WebhookSettings;
  readonly deliveries: readonly Delivery[];
  readonly state?: FormState | undefined;
}) {
  return (
    <Settings site={site} title="Webhook" lead="Tells another service what happens here.">
      <Card>
        <Form action="/web/settings/webhook" state={state} files>
          <Field
            name="url"
            label="Address"
            value={settings.url}
            error={state.errors.url}
            maxLength={1000}
            inputMode="url"
            placeholder="https://"
            hint="Left empty, nothing is sent."
            spellcheck={false}
          />
          <Select name="format" label="Format" value={settings.format} options={formats} />
          <Field
            name="secret"
            type="password"
            label="Secret"
            hint="Signs what is sent as JSON. It is never shown again; left empty, the one there stays."
            autocomplete="off"
            optional
          />
          <fieldset>
            <legend>Events</legend>
            {events.map(([event, label]) => (
              <Check
                key={event}
                name="events"
                id={`event-${event}`}
                value={event}
                label={label}
                checked={settings.events.includes(event)}
              />
            ))}
          </fieldset>
          <Submit>Save</Submit>
        </Form>
      </Card>
      {deliveries.length > 0 && (
        <Card title="Latest deliveries">
          <ul class="rows">
            {deliveries.map((delivery) => (
              <li key={delivery.id}>
                <span class="what">
                  {delivery.event} <span class="hint">· {delivery.outcome ?? 'waiting'}</span>
                </span>
                <span class="hint">
                  <Time at={delivery.at} />
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Settings>
  );
}

const tools = [
  ['holdall-image.sxcu', 'ShareX: pictures and files'],
  ['holdall-text.sxcu', 'ShareX: text'],
  ['holdall-url.sxcu', 'ShareX: links'],
  ['holdall.sh', 'Shell, with curl'],
  ['flameshot.sh', 'Flameshot on Linux'],
] as const;

/** Ready configurations of upload tools, and the key they carry. */
export function ToolsPage({ site, apiKey }: { readonly site: Site; readonly apiKey: string }) {
  return (
    <Settings
      site={site}
      title="Upload tools"
      lead="Files to load into a tool. Each carries your key: keep them to yourself."
    >
      <Card>
        <ul class="rows">
          {tools.map(([file, label]) => (
            <li key={file}>
              <span class="what">
                {label}
                <br />
                <span class="hint mono">{file}</span>
              </span>
              <LinkButton href={`/v1/user/get/@me/uploaders/${file}`} icon="download" download>
                Download
              </LinkButton>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="By hand" hint="One line uploads a file and prints its link.">
        <CopyField
          label="With curl"
          value={`curl -F file=@picture.png -H 'Accept: text/plain' -H 'X-API-Key: ${apiKey}' ${site.origin}/v1/image/upload`}
        />
      </Card>
    </Settings>
  );
}

/** What an account holds, to take along, and the way out. */
export function AccountPage({
  site,
  user,
  state = untouched,
}: {
  readonly site: Site;
  readonly user: FullUser;
  readonly state?: FormState | undefined;
}) {
  return (
    <Settings site={site} title="Account">
      <Card title="You">
        <Facts
          of={[
            ['User name', user.username],
            ['E-mail', user.email],
            ['Role', user.role.toLowerCase()],
            ['Since', <Time key="since" at={user.createdAt} />],
            ['Invited by', user.invitedBy?.username ?? null],
          ]}
        />
      </Card>
      <Card
        title="Take it along"
        hint="Everything that is yours: files as they are stored, pastes as text, links and settings as JSON."
      >
        <LinkButton href="/web/settings/account/export" icon="archive">
          Download everything
        </LinkButton>
      </Card>
      <Card
        title="Delete the account"
        hint="Your uploads, pastes and links go with it, at once and for good."
      >
        <Form action="/web/settings/account" state={state}>
          <Field
            name="password"
            type="password"
            label="Password"
            error={state.errors.password}
            autocomplete="current-password"
            required
          />
          <Submit look="danger" icon="trash">
            Delete my account
          </Submit>
        </Form>
      </Card>
    </Settings>
  );
}

/** The API key, shown only when asked for. */
export function KeyCard({
  apiKey,
  state = untouched,
}: {
  readonly apiKey: string;
  readonly state?: FormState | undefined;
}) {
  return (
    <Card
      title="API key"
      hint="Whoever has it can do what you can. Replacing it stops every tool that uses the old one."
    >
      <details class="more">
        <summary>Show it</summary>
        <p class="actions">
          <code class="secret">{apiKey}</code>
          <CopyButton text={apiKey}>Copy</CopyButton>
        </p>
      </details>
      <Form action="/web/settings/security/key" state={state}>
        <Submit look="plain" icon="refresh">
          Replace it
        </Submit>
      </Form>
    </Card>
  );
}
