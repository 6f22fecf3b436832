import { Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, untouched, wrongPassword } from '../components/form.js';
import type { Site } from '../site.js';

import { AuthLayout } from './auth-layout.js';

/** Signing in. `next` is a path of this site to go on to. */
export function LoginPage({
  site,
  state = untouched,
  next,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
  readonly next: string;
}) {
  return (
    <AuthLayout site={site} title="Sign in">
      <Form action="/web/login" state={state}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          type="email"
          label="E-mail address"
          value={state.values.email ?? null}
          error={state.errors.email}
          autocomplete="username"
          required
          autofocus
        />
        <Field
          name="password"
          type="password"
          label="Password"
          error={state.errors.password}
          autocomplete="current-password"
          required
        />
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
    </AuthLayout>
  );
}

/** The second step of signing in. */
export function LoginCodePage({
  site,
  state = untouched,
  next,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
  readonly next: string;
}) {
  return (
    <AuthLayout site={site} title="One more step">
      <p>Type the six digits your authenticator app shows now.</p>
      <Form action="/web/login/code" state={state}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label="Code"
          hint="Without the device, one of your recovery codes does as well."
          autocomplete="one-time-code"
          spellcheck={false}
          maxLength={64}
          required
          autofocus
        />
        <Submit>Sign in</Submit>
      </Form>
      <p class="hint">
        <a href="/web/login">Start again</a>
      </p>
    </AuthLayout>
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
  return (
    <AuthLayout site={site} title="Make an account">
      {site.registration === 'closed' ? (
        <>
          <p class="hint">No new accounts are taken here at present.</p>
          <details class="more" open={state.problem !== null}>
            <summary>I have the code of the first start</summary>
            <RegisterForm site={site} state={state} />
          </details>
        </>
      ) : (
        <RegisterForm site={site} state={state} />
      )}
      <p class="hint">
        Have one already? <a href="/web/login">Sign in</a>
      </p>
    </AuthLayout>
  );
}

function RegisterForm({ site, state }: { readonly site: Site; readonly state: FormState }) {
  const { values, errors } = state;
  const open = site.registration === 'open';
  return (
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
        error={wrongPassword(state)}
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
        required={!open}
        optional={open}
      />
      <Submit>Make the account</Submit>
    </Form>
  );
}
