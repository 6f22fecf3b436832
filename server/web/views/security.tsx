import { LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import { Badge, Card, Time } from '../components/parts.js';
import type { SecondFactorState, SessionRecord } from '../records.js';
import type { Site } from '../site.js';
import { KeyCard } from './account.js';
import { Settings } from './settings.js';
import { MessengerLink } from './verify.js';

/** An account linked at another service. */
export interface Connection {
  readonly service: 'chatapp' | 'messenger';
  readonly label: string;
  /** Name there; null when not linked. */
  readonly name: string | null;
  /** Where linking starts. */
  readonly connectUrl: string;
}

/** Password, key, sessions and linked accounts. */
export function SecurityPage({
  site,
  apiKey,
  sessions,
  connections,
  secondFactor,
  state = untouched,
}: {
  readonly site: Site;
  readonly apiKey: string;
  readonly secondFactor: SecondFactorState;
  readonly sessions: readonly SessionRecord[];
  readonly connections: readonly Connection[];
  readonly state?: FormState | undefined;
}) {
  const chat = connections.find(({ service }) => service === 'chatapp');
  return (
    <Settings site={site} title="Security">
      <Card
        title="Password"
        hint={
          <>
            Every other session ends when it changes.
            {chat?.name && (
              <>
                {' '}
                The <a href="#linked">linked</a> {chat.label} account <bdi>{chat.name}</bdi> signs in without
                it, also with a new one.
              </>
            )}
          </>
        }
      >
        <Form action="/web/settings/security" state={state}>
          <div class="pair">
            <Field
              name="currentPassword"
              type="password"
              label="Current password"
              error={state.errors.currentPassword}
              autocomplete="current-password"
              required
            />
            <Field
              name="newPassword"
              type="password"
              label="New password"
              error={state.errors.newPassword}
              minLength={8}
              hint="8 characters or more"
              autocomplete="new-password"
              required
            />
          </div>
          <Submit>Change it</Submit>
        </Form>
      </Card>
      <Card
        title="Two-step sign-in"
        hint="A code of an app on your phone besides the password: whoever learns the password alone stays outside."
      >
        <p>{secondFactor.enabled ? <Badge look="good">On</Badge> : <Badge look="plain">Off</Badge>}</p>
        <LinkButton href="/web/settings/security/two-step">
          {secondFactor.enabled ? 'Change it' : 'Set it up'}
        </LinkButton>
      </Card>
      <KeyCard apiKey={apiKey} />
      <Card title="Sessions" hint="Where you are signed in.">
        <ul class="rows">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      </Card>
      {connections.length > 0 && (
        <Card title="Linked accounts" id="linked">
          <ul class="rows">
            {connections.map((connection) => (
              <ConnectionRow key={connection.service} connection={connection} />
            ))}
          </ul>
        </Card>
      )}
    </Settings>
  );
}

function SessionRow({ session }: { readonly session: SessionRecord }) {
  return (
    <li>
      <span class="what">
        {session.userAgent ?? 'An unknown program'} {session.isCurrent && <Badge look="good">This one</Badge>}
        <br />
        <span class="hint">
          {session.ipAddress} · last used <Time at={session.lastUsedAt} />
        </span>
      </span>
      {!session.isCurrent && (
        <form method="post" action="/web/settings/security/sessions">
          <input type="hidden" name="id" value={session.id} />
          <Submit look="quiet">End it</Submit>
        </form>
      )}
    </li>
  );
}

function ConnectionRow({ connection }: { readonly connection: Connection }) {
  return (
    <li>
      <span class="what">
        {connection.label}
        <br />
        <span class="hint" dir="auto">
          {connection.name ?? 'Not linked'}
        </span>
      </span>
      {connection.name === null ? (
        <a class="button plain" href={connection.connectUrl}>
          Link an account
        </a>
      ) : (
        <form method="post" action="/web/settings/security/connections">
          <input type="hidden" name="service" value={connection.service} />
          <Submit look="quiet">Unlink</Submit>
        </form>
      )}
    </li>
  );
}

/** How a messenger account is linked: by a message to the bot. */
export function MessengerPage({
  site,
  bot,
}: {
  readonly site: Site;
  readonly bot: { readonly botname: string; readonly token: string };
}) {
  return (
    <Settings site={site} title="Link Telegram">
      <Card>
        <p>
          Send <code>/start {bot.token}</code> to <MessengerLink bot={bot} />, then come back.
        </p>
        <LinkButton href="/web/settings/security">Done</LinkButton>
      </Card>
    </Settings>
  );
}
