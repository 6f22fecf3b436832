import { here } from '../address.js';
import { Ask } from '../components/ask.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import { Card, CopyField, Facts, Time } from '../components/parts.js';
import type { FullUser, UploaderRecord } from '../records.js';
import type { Site } from '../site.js';
import { Settings } from './settings.js';

/** Ready configurations of upload tools, and the key they carry. */
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
      lead="Files to load into a tool. Each carries your key: keep them to yourself."
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
            [
              'User name',
              <span key="name" dir="auto">
                {user.username}
              </span>,
            ],
            ['E-mail', user.email],
            ['Role', user.role.toLowerCase()],
            ['Since', <Time key="since" at={user.createdAt} />],
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
        title="Take it along"
        hint="Everything that is yours: files as they are stored, pastes as text, mails, links, playlists and settings as JSON."
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
export function KeyCard({ apiKey }: { readonly apiKey: string }) {
  return (
    <Card title="API key" hint="Whoever has it can do what you can.">
      <details class="more">
        <summary>Show it</summary>
        <p class="actions">
          <code class="secret">{apiKey}</code>
          <CopyButton text={apiKey}>Copy</CopyButton>
        </p>
      </details>
      <Ask
        action="/web/settings/security/key"
        value="replace"
        icon="refresh"
        label="Replace it"
        lost="The current key ends at once and for good: every tool that uses it stops until it has the new one."
        sure="Yes, replace the key"
      />
    </Card>
  );
}
