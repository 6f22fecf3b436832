import { Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import type { Site } from '../site.js';

import { Entrance } from './entrance.js';
/** Signing in. `next` is a path of this site to go on to. */
export function LoginPage({
  site,
  state = untouched,
  next,
  askCode = false,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
  readonly next: string;
  /** A second factor is enabled for the account whose password was right. */
  readonly askCode?: boolean;
}) {
  return (
    <Entrance site={site} title="Sign in">
      <Form action="/web/login" state={state}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          type="email"
          label="E-mail address"
          value={state.values.email ?? null}
          autocomplete="username"
          required
          autofocus
        />
        <Field name="password" type="password" label="Password" autocomplete="current-password" required />
        {askCode && (
          <Field
            name="code"
            label="Code"
            inputMode="numeric"
            autocomplete="one-time-code"
            maxLength={8}
            required
          />
        )}
        <Submit>Sign in</Submit>
      </Form>
      {site.chatapp && (
        <p>
          <a class="button plain" href="/v1/chatapp/start?intent=login">
            Sign in with Discord
          </a>
        </p>
      )}
      <p class="hint">
        <a href="/web/password-reset">Forgotten the password?</a>
        {site.registration !== 'closed' && (
          <>
            {' '}
            · <a href="/web/register">Make an account</a>
          </>
        )}
      </p>
    </Entrance>
  );
}

/** Making an account, with an invite code unless registration is open. */
export function RegisterPage({
  site,
  state = untouched,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
}) {
  const { values, errors } = state;
  return (
    <Entrance site={site} title="Make an account">
      {site.registration === 'closed' ? (
        <p class="hint">No new accounts are taken here at present.</p>
      ) : (
        <Form action="/web/register" state={state}>
          <Field
            name="username"
            label="User name"
            value={values.username ?? null}
            error={errors.username}
            hint="3 to 32 letters, digits, dots, - and _"
            pattern="[A-Za-z0-9_.\-]{3,32}"
            autocomplete="username"
            spellcheck={false}
            required
            autofocus
          />
          <Field
            name="email"
            type="email"
            label="E-mail address"
            value={values.email ?? null}
            error={errors.email}
            autocomplete="email"
            required
          />
          <Field
            name="password"
            type="password"
            label="Password"
            error={errors.password}
            minLength={8}
            hint="8 characters or more"
            autocomplete="new-password"
            required
          />
          <Field
            name="inviteCode"
            label="Invite code"
            value={values.inviteCode ?? null}
            error={errors.inviteCode}
            autocomplete="off"
            spellcheck={false}
            required={site.registration === 'invite'}
            optional={site.registration === 'open'}
          />
          <Submit>Make the account</Submit>
        </Form>
      )}
      <p class="hint">
        Have one already? <a href="/web/login">Sign in</a>
      </p>
    </Entrance>
  );
}
