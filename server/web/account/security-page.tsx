import { LinkButton, Submit } from '../components/button.js';
import { Check } from '../components/form/choices.js';
import { Field, LoginName } from '../components/form/field.js';
import { Form, ticked, untouched } from '../components/form/form.js';
import { Badge, Card, Time } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { SecondFactorState, SessionRecord } from '../records.js';
import { KeyCard } from './key-card.js';
import { Settings } from './settings.js';

/** A linked account of another service. */
export interface Connection {
  readonly service: 'chatapp' | 'messenger';
  readonly label: string;
  /** Its name there; null when not linked. */
  readonly name: string | null;
  /** Where to start linking. */
  readonly connectUrl: string;
}

/** Password, key, sessions and linked accounts. */
export function SecurityPage({
  site,
  email,
  apiKey,
  sessions,
  connections,
  secondFactor,
  state = untouched,
}: FormPageProps<{
  readonly email: string;
  readonly apiKey: string;
  readonly secondFactor: SecondFactorState;
  readonly sessions: readonly SessionRecord[];
  readonly connections: readonly Connection[];
}>) {
  const chat = connections.find(({ service }) => service === 'chatapp');
  return (
    <Settings site={site} title="Security">
      <Card
        title="Password"
        hint={
          <>
            Changing it ends all your other sessions.
            {chat?.name && (
              <>
                {' '}
                The <a href="#linked">linked</a> {chat.label} account <bdi>{chat.name}</bdi> can sign in
                without it, even after you change it.
              </>
            )}
          </>
        }
      >
        <Form action="/web/settings/security" state={state}>
          <LoginName value={email} />
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
              hint="At least 8 characters"
              autocomplete="new-password"
              required
            />
          </div>
          <Check
            name="replaceKey"
            label="Also replace my API key"
            hint="Leave this on if someone else may know your password. Tools that use the key need the new one."
            checked={ticked(state, 'replaceKey', true)}
          />
          <Submit>Change password</Submit>
        </Form>
      </Card>
      <Card
        title="Two-step sign-in"
        hint="Signing in will need your password and a code from an app on your phone, so a stolen password is not enough."
      >
        <p>{secondFactor.enabled ? <Badge look="good">On</Badge> : <Badge look="plain">Off</Badge>}</p>
        <LinkButton href="/web/settings/security/two-step">
          {secondFactor.enabled ? 'Manage' : 'Set up'}
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
        {session.userAgent ?? 'Unknown device'} {session.isCurrent && <Badge look="good">This session</Badge>}
        <br />
        <span class="hint">
          {session.ipAddress} · last used <Time at={session.lastUsedAt} />
        </span>
      </span>
      {!session.isCurrent && (
        <form method="post" action="/web/settings/security/sessions">
          <input type="hidden" name="id" value={session.id} />
          <Submit look="quiet">End session</Submit>
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
