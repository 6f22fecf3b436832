import { here } from '../address.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Field } from '../components/form/field.js';
import { Form, type FormState, untouched } from '../components/form/form.js';
import { Card, CopyField, Facts, Time } from '../components/parts.js';
import type { FullUser, UploaderRecord } from '../records.js';
import type { Site } from '../site.js';
import { Settings } from './settings-page.js';

/** Ready-made configurations for upload tools, and the API key in them. */
export function ToolsPage({
  site,
  uploaders,
  apiKey,
}: {
  readonly site: Site;
  readonly uploaders: readonly UploaderRecord[];
  readonly apiKey: string;
}) {
  return (
    <Settings
      site={site}
      title="Upload tools"
      lead="Configuration files for upload tools. Each contains your API key, so keep them private."
    >
      <Card>
        <ul class="rows">
          {uploaders.map(({ file, tool, url }) => (
            <li key={file}>
              <span class="what">
                {tool}
                <br />
                <span class="hint mono">{file}</span>
              </span>
              <LinkButton href={here(url)} icon="download" download>
                Download
              </LinkButton>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Command line" hint="This command uploads a file and prints its link.">
        <CopyField
          label="With curl"
          value={`curl -F file=@picture.png -H 'Accept: text/plain' -H 'X-API-Key: ${apiKey}' ${site.origin}/v1/image/upload`}
        />
      </Card>
    </Settings>
  );
}

/** The account, its data export and its deletion. */
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
      <Card title="Your account">
        <Facts
          of={[
            [
              'Username',
              <span key="name" dir="auto">
                {user.username}
              </span>,
            ],
            ['E-mail', user.email],
            ['Role', user.role.toLowerCase()],
            ['Joined', <Time key="since" at={user.createdAt} />],
            [
              'Invited by',
              user.invitedBy && (
                <span key="by" dir="auto">
                  {user.invitedBy.username}
                </span>
              ),
            ],
          ]}
        />
      </Card>
      <Card
        title="Export your data"
        hint="Everything you have here: files as they are stored, pastes as text, and mail, links, playlists and settings as JSON."
      >
        <LinkButton href="/web/settings/account/export" icon="archive">
          Download everything
        </LinkButton>
      </Card>
      <Card
        title="Delete account"
        hint="This immediately and permanently deletes your account with all its uploads, pastes and links."
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

/** The API key, hidden until the user opens it. */
export function KeyCard({ apiKey }: { readonly apiKey: string }) {
  return (
    <Card title="API key" hint="Anyone who has it can do everything you can.">
      <details class="more">
        <summary>Show key</summary>
        <p class="actions">
          <code class="secret">{apiKey}</code>
          <CopyButton text={apiKey}>Copy</CopyButton>
        </p>
      </details>
      <Ask
        action="/web/settings/security/key"
        value="replace"
        icon="refresh"
        label="Replace key"
        lost="The current key stops working immediately and for good. Tools that use it stop working until you give them the new one."
        sure="Yes, replace the key"
      />
    </Card>
  );
}
