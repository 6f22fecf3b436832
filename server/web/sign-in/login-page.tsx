import { t } from '../../../routers/base/language/i18n.js';
import { DEMO_ACCOUNTS } from '../../shared/demo.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { OwnPassword } from '../components/form/passwords.js';
import { Card, Facts } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import { AuthLayout } from './auth-layout.js';
import { PasskeyButton, ProviderButtons } from './ways.js';

/** The sign-in page. `next` is a path of this site to continue to. */
export function LoginPage({
  site,
  state = untouched,
  next,
}: FormPageProps<{
  readonly next: string;
}>) {
  const [password, passkeys] = (['password', 'passkey'] as const).map((way) =>
    site.signIn.ways.includes(way),
  );
  return (
    <AuthLayout site={site} title={t('Sign in')} scripts={passkeys ? ['passkey'] : []}>
      {state.problem && !password && <p class="problem">{state.problem}</p>}
      {site.demoEnds !== null && <DemoAccounts next={next} />}
      {password && (
        <Form action="/web/login" state={state}>
          <input type="hidden" name="next" value={next} />
          <Field
            {...bind(state).field('email')}
            label={t('E-mail address or username')}
            inputMode="email"
            autocomplete={passkeys ? 'username webauthn' : 'username'}
            spellcheck={false}
            required
            autofocus
          />
          <OwnPassword state={state} />
          <Submit>{t('Sign in')}</Submit>
        </Form>
      )}
      {passkeys && <PasskeyButton next={next} />}
      <ProviderButtons site={site} next={next} />
      {password && site.demoEnds === null && (
        <p class="hint">
          <a href="/web/password-reset">{t('Forgot your password?')}</a>
          {site.registration !== 'closed' && (
            <>
              {' '}
              · <a href="/web/register">{t('Create an account')}</a>
            </>
          )}
        </p>
      )}
    </AuthLayout>
  );
}

/** The accounts of the demo, each with a button that signs in to it. */
function DemoAccounts({ next }: { readonly next: string }) {
  return (
    <Card id="demo" title={t('Accounts of this demo')}>
      {DEMO_ACCOUNTS.map(({ username, password, role }) => (
        <Form key={username} action="/web/login" state={untouched}>
          <Facts
            of={[
              [t('Username'), <code key="name">{username}</code>],
              [t('Password'), <code key="password">{password}</code>],
            ]}
          />
          <input type="hidden" name="next" value={next} />
          <input type="hidden" name="email" value={username} />
          <input type="hidden" name="password" value={password} />
          <Submit>
            {role === 'ADMIN' ? t('Sign in as administrator') : t('Sign in as {username}', { username })}
          </Submit>
        </Form>
      ))}
    </Card>
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
  const passkeys = site.signIn.ways.includes('passkey');
  return (
    <AuthLayout site={site} title={t('One more step')} scripts={passkeys ? ['passkey'] : []}>
      <p>{t('Enter the 6-digit code from your authenticator app.')}</p>
      <Form action="/web/login/code" state={state}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="code"
          label={t('Code')}
          hint={t('Without your device, enter one of your recovery codes.')}
          autocomplete="one-time-code"
          spellcheck={false}
          maxLength={64}
          required
          autofocus
        />
        <Submit>{t('Sign in')}</Submit>
      </Form>
      {passkeys && <PasskeyButton next={next} />}
      <p class="hint">
        <a href="/web/login">{t('Start over')}</a>
      </p>
    </AuthLayout>
  );
}
