import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState, untouched } from '../components/form/form.js';
import { AccountPassword } from '../components/form/passwords.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { AuthLayout } from './auth-layout.js';
import { ProviderInvites } from './ways.js';

/**
 * The registration page. It needs an invite code unless registration is open. While there is no owner, it sets the
 * installation up.
 */
export function RegisterPage({ site, state = untouched }: FormPageProps) {
  if (site.unowned) return <SetUpPage site={site} state={state} />;
  return (
    <AuthLayout site={site} title={t('Create an account')}>
      <ProviderInvites site={site} />
      {site.registration === 'closed' || !site.signIn.ways.includes('password') ? (
        <p class="hint">{t('Registration is currently closed.')}</p>
      ) : (
        <RegisterForm site={site} state={state} />
      )}
      <p class="hint">
        {rich('Already have an account? <a>Sign in</a>', {
          a: (inside) => <a href="/web/login">{inside}</a>,
        })}
      </p>
    </AuthLayout>
  );
}

/** Welcomes whoever has started the server, and makes the owner's account. */
function SetUpPage({ site, state }: PageProps<{ readonly state: FormState }>) {
  return (
    <AuthLayout site={site} title={t('Welcome to {name}', { name: site.branding.name })}>
      <p>{t('Create the owner account. Afterwards you can invite others.')}</p>
      <p class="hint">
        {rich(
          'The setup code is in the output of the server: the line that begins with {word}. Run {command} in its folder for a new one.',
          { word: <code>invite</code>, command: <code>npx holdall invite</code> },
        )}
      </p>
      <RegisterForm site={site} state={state} />
    </AuthLayout>
  );
}

function RegisterForm({ site, state }: PageProps<{ readonly state: FormState }>) {
  const { field } = bind(state);
  const needsInvite = site.registration === 'invite';
  return (
    <Form action="/web/register" state={state}>
      <Field
        {...field('username')}
        label={t('Username')}
        hint={t('3 to 32 letters, digits, dots, - and _')}
        pattern="[A-Za-z0-9_.\-]{3,32}"
        autocomplete="nickname"
        spellcheck={false}
        required
      />
      <Field
        {...field('email')}
        type="email"
        label={t('E-mail address')}
        // What password managers save, and fill in to sign in.
        autocomplete="username"
        required
      />
      <AccountPassword label={t('Password')} state={state} />
      <Field
        {...field('inviteCode')}
        label={site.unowned ? t('Setup code') : t('Invite code')}
        autocomplete="off"
        spellcheck={false}
        hint={
          site.registration === 'approval' && !site.unowned
            ? t('Without one, an administrator lets you in after you have confirmed your address.')
            : null
        }
        required={needsInvite || site.unowned}
      />
      <Submit>{site.unowned ? t('Create owner account') : t('Create account')}</Submit>
    </Form>
  );
}
