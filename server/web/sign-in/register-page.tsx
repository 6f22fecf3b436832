import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { Form, type FormState, untouched, wrongPassword } from '../components/form/form.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import { AuthLayout } from './auth-layout.js';

/** The registration page. It needs an invite code unless registration is open. */
export function RegisterPage({ site, state = untouched }: FormPageProps) {
  return (
    <AuthLayout site={site} title="Create an account">
      {site.registration === 'closed' ? (
        <>
          <p class="hint">Registration is currently closed.</p>
          <details class="more" open={state.problem !== null}>
            <summary>I have the setup code</summary>
            <RegisterForm site={site} state={state} />
          </details>
        </>
      ) : (
        <RegisterForm site={site} state={state} />
      )}
      <p class="hint">
        Already have an account? <a href="/web/login">Sign in</a>
      </p>
    </AuthLayout>
  );
}

function RegisterForm({ site, state }: PageProps<{ readonly state: FormState }>) {
  const { values, errors } = state;
  const open = site.registration === 'open';
  return (
    <Form action="/web/register" state={state}>
      <Field
        name="username"
        label="Username"
        value={values.username ?? null}
        error={errors.username}
        hint="3 to 32 letters, digits, dots, - and _"
        pattern="[A-Za-z0-9_.\-]{3,32}"
        autocomplete="nickname"
        spellcheck={false}
        required
      />
      <Field
        name="email"
        type="email"
        label="E-mail address"
        value={values.email ?? null}
        error={errors.email}
        // What password managers save, and fill in to sign in.
        autocomplete="username"
        required
      />
      <Field
        name="password"
        type="password"
        label="Password"
        error={wrongPassword(state)}
        minLength={8}
        hint="At least 8 characters"
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
      <Submit>Create account</Submit>
    </Form>
  );
}
