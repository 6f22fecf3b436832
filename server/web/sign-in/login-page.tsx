import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { Form, untouched } from '../components/form/form.js';
import type { FormPageProps } from '../page-props.js';
import { AuthLayout } from './auth-layout.js';

/** The sign-in page. `next` is a path of this site to continue to. */
export function LoginPage({
  site,
  state = untouched,
  next,
}: FormPageProps<{
  readonly next: string;
}>) {
  return (
    <AuthLayout site={site} title="Sign in">
      <Form action="/web/login" state={state}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="email"
          label="E-mail address or username"
          value={state.values.email ?? null}
          error={state.errors.email}
          inputMode="email"
          autocomplete="username"
          spellcheck={false}
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
            Sign in with {site.chatapp}
          </a>
        </p>
      )}
      <p class="hint">
        <a href="/web/password-reset">Forgot your password?</a>
        {site.registration !== 'closed' && (
          <>
            {' '}
            · <a href="/web/register">Create an account</a>
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
}: FormPageProps<{
  readonly next: string;
}>) {
  return (
    <AuthLayout site={site} title="One more step">
      <p>Enter the 6-digit code from your authenticator app.</p>
      <Form action="/web/login/code" state={state}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label="Code"
          hint="Without your device, enter one of your recovery codes."
          autocomplete="one-time-code"
          spellcheck={false}
          maxLength={64}
          required
          autofocus
        />
        <Submit>Sign in</Submit>
      </Form>
      <p class="hint">
        <a href="/web/login">Start over</a>
      </p>
    </AuthLayout>
  );
}
