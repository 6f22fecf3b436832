import { Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, stateOf, typed, untouched } from '../components/form.js';
import type { Site } from '../site.js';

import { AuthLayout } from './auth-layout.js';
/** Waiting for the address to be proven, by the code of the mail or by a messenger. */
export function VerifyPage({
  site,
  email,
  state = untouched,
  messenger,
  bot = null,
}: {
  readonly site: Site;
  /** The address that the mails go to; null when it waits no longer. */
  readonly email: string | null;
  readonly state?: FormState | undefined;
  /** Whether there is a messenger to verify by. */
  readonly messenger: boolean;
  /** The messenger's bot and a one-time token for it, once somebody has asked for them. */
  readonly bot?: { readonly botname: string; readonly token: string } | null;
}) {
  return (
    <AuthLayout site={site} title="Check your mail" scripts={bot ? ['live'] : []}>
      <p>
        Type the six digits of the newest mail
        {email !== null && (
          <>
            {' '}
            to <strong dir="auto">{email}</strong>
          </>
        )}
        . They work for 15 minutes.
      </p>
      <Form action="/web/verify" state={stateOf(state, 'verify')}>
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
      <Form action="/web/verify" state={stateOf(state, 'resend', 'messenger')}>
        <div class="actions">
          <Submit look="quiet" icon="refresh" name="action" value="resend">
            Send another
          </Submit>
          {messenger && !bot && (
            <Submit look="quiet" icon="link" name="action" value="messenger">
              Use Telegram instead
            </Submit>
          )}
        </div>
      </Form>
      {email !== null && <CorrectEmail state={stateOf(state, 'correct')} email={email} />}
      {bot && (
        <p class="hint" data-verify={bot.token}>
          Or send <code>/start {bot.token}</code> to <MessengerLink bot={bot} /> on Telegram.
        </p>
      )}
    </AuthLayout>
  );
}

/** For whoever sees that the address is not theirs. */
function CorrectEmail({ state, email }: { readonly state: FormState; readonly email: string }) {
  return (
    <details class="more" open={state.problem !== null}>
      <summary>This is not my address</summary>
      <Form action="/web/verify" state={state}>
        <Field
          name="email"
          type="email"
          label="E-mail address"
          value={typed(state, 'email', email)}
          error={state.errors.email}
          hint="The codes of earlier mails work no more then."
          autocomplete="email"
          required
        />
        <Submit look="plain" name="action" value="correct">
          Send the mail there
        </Submit>
      </Form>
    </details>
  );
}

/** The messenger's bot, with the message already written. */
export function MessengerLink({
  bot,
}: {
  readonly bot: { readonly botname: string; readonly token: string };
}) {
  return (
    <a
      href={`https://t.me/${encodeURIComponent(bot.botname)}?start=${encodeURIComponent(bot.token)}`}
      rel="noreferrer"
    >
      @{bot.botname}
    </a>
  );
}

/** The answer to the link of the mail. */
export function VerifiedPage({ site, worked }: { readonly site: Site; readonly worked: boolean }) {
  return (
    <AuthLayout site={site} title={worked ? 'Your account is active' : 'This link no longer works'}>
      <p class="hint">
        {worked
          ? 'You can sign in now.'
          : 'It was used before, or it is older than 15 minutes. Sign in to get a new one.'}
      </p>
      <a class="button primary" href="/web/login">
        Sign in
      </a>
    </AuthLayout>
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
    <AuthLayout site={site} title="A new password">
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
            error={state.errors.email}
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
    </AuthLayout>
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
    <AuthLayout site={site} title="A new password">
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
      <p class="hint">
        The link of the mail works once, for 15 minutes. <a href="/web/password-reset">Ask for another</a>
      </p>
    </AuthLayout>
  );
}
