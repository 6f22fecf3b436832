import type { ComponentChildren } from 'preact';
import { Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import { Icon } from '../components/icon.js';
import { Page } from '../components/page.js';
import type { Site } from '../site.js';

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

/** Waiting for the address to be proven, by the code of the mail or by a messenger. */
export function VerifyPage({
  site,
  state = untouched,
  messenger,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
  /** Name and one-time token of the messenger's bot; null when none is configured. */
  readonly messenger: { readonly botname: string; readonly token: string } | null;
}) {
  return (
    <Entrance site={site} title="Check your mail" scripts={messenger ? ['live'] : []}>
      <p>We have sent six digits to your address.</p>
      <Form action="/web/verify" state={state}>
        <Field
          name="code"
          label="Code"
          error={state.errors.code}
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="[0-9]{6}"
          maxLength={6}
          required
          autofocus
        />
        <Submit name="action" value="verify">
          Activate the account
        </Submit>
      </Form>
      <Form action="/web/verify">
        <Submit look="quiet" icon="refresh" name="action" value="resend">
          Send another
        </Submit>
      </Form>
      {messenger && (
        <p class="hint" data-verify={messenger.token}>
          Or send <code>/start {messenger.token}</code> to{' '}
          <a href={`https://t.me/${messenger.botname}?start=${messenger.token}`} rel="noreferrer">
            @{messenger.botname}
          </a>{' '}
          on Telegram.
        </p>
      )}
    </Entrance>
  );
}

/** The answer to the link of the mail. */
export function VerifiedPage({ site, worked }: { readonly site: Site; readonly worked: boolean }) {
  return (
    <Entrance site={site} title={worked ? 'Your account is active' : 'This link no longer works'}>
      <p class="hint">
        {worked
          ? 'You can sign in now.'
          : 'It was used before, or it is older than 15 minutes. Sign in to get a new one.'}
      </p>
      <a class="button primary" href="/web/login">
        Sign in
      </a>
    </Entrance>
  );
}

/** Asks for the address that a new password is wanted for. The answer is the same for every address. */
export function ResetRequestPage({
  site,
  state = untouched,
  sent = false,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
  readonly sent?: boolean;
}) {
  return (
    <Entrance site={site} title="A new password">
      {sent ? (
        <p>
          If there is an account with this address, a mail with a link is on its way. It works for 15 minutes.
        </p>
      ) : (
        <Form action="/web/password-reset" state={state}>
          <Field
            name="email"
            type="email"
            label="E-mail address"
            value={state.values.email ?? null}
            autocomplete="username"
            required
            autofocus
          />
          <Submit>Send the mail</Submit>
        </Form>
      )}
      <p class="hint">
        <a href="/web/login">Back to signing in</a>
      </p>
    </Entrance>
  );
}

/** Takes the new password; `code` came with the link of the mail. */
export function ResetPage({
  site,
  state = untouched,
  code,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
  readonly code: string;
}) {
  return (
    <Entrance site={site} title="A new password">
      <Form action="/web/password-reset/confirm" state={state}>
        <input type="hidden" name="code" value={code} />
        <Field
          name="password"
          type="password"
          label="New password"
          error={state.errors.password}
          minLength={8}
          hint="8 characters or more. Every other session ends."
          autocomplete="new-password"
          required
          autofocus
        />
        <Submit>Set the password</Submit>
      </Form>
    </Entrance>
  );
}

function Entrance({
  site,
  title,
  scripts = [],
  children,
}: {
  readonly site: Site;
  readonly title: string;
  readonly scripts?: readonly 'live'[];
  readonly children: ComponentChildren;
}) {
  return (
    <Page site={site} title={title} shell="content" width="narrow" scripts={scripts}>
      <div class="door-page">
        <Icon name="bag" />
        <h1>{title}</h1>
        {children}
      </div>
    </Page>
  );
}
