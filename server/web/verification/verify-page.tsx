import type { LinkState } from '../../../routers/auth/verify.js';
import { Submit } from '../components/button.js';
import { Field, LoginName } from '../components/form/field.js';
import { Form, type FormState, stateOf, typed, untouched } from '../components/form/form.js';
import { AuthLayout } from '../sign-in/auth-layout.js';
import type { Site } from '../site.js';
/** The bot of the messenger, a one-time token for it, and the address that offers to send the token. */
export interface BotInvitation {
  readonly botname: string;
  readonly token: string;
  readonly url: string;
}

/** Asks for the verification code from the e-mail, or offers a messenger instead. */
export function VerifyPage({
  site,
  email,
  state = untouched,
  messenger,
  bot = null,
}: {
  readonly site: Site;
  /** The address that the e-mails go to; null if the account no longer waits for verification. */
  readonly email: string | null;
  readonly state?: FormState | undefined;
  /** The messenger that can be used instead; null if there is none. */
  readonly messenger: string | null;
  /** The bot of the messenger and a one-time token for it, once the user has asked for them. */
  readonly bot?: BotInvitation | null;
}) {
  return (
    <AuthLayout site={site} title="Check your e-mail" scripts={bot ? ['live'] : []}>
      <p>
        Enter the 6-digit code from the latest e-mail
        {email !== null && (
          <>
            {' '}
            to <strong dir="auto">{email}</strong>
          </>
        )}
        . It is valid for 15 minutes.
      </p>
      <Form action="/web/verify" state={stateOf(state, 'verify')}>
        <Field
          name="code"
          label="Verification code"
          error={state.errors.code}
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="[0-9]{6}"
          maxLength={6}
          required
          autofocus
        />
        <Submit name="action" value="verify">
          Activate account
        </Submit>
      </Form>
      <Form action="/web/verify" state={stateOf(state, 'resend', 'messenger')}>
        <div class="actions">
          <Submit look="quiet" icon="refresh" name="action" value="resend">
            Send a new code
          </Submit>
          {messenger && !bot && (
            <Submit look="quiet" icon="link" name="action" value="messenger">
              Use {messenger} instead
            </Submit>
          )}
        </div>
      </Form>
      {email !== null && <CorrectEmail state={stateOf(state, 'correct')} email={email} />}
      {bot && (
        <p class="hint" data-verify={bot.token}>
          Or send <code>/start {bot.token}</code> to <MessengerLink bot={bot} /> on {messenger}.
        </p>
      )}
    </AuthLayout>
  );
}

/** For a user who notices a typo in their address. */
function CorrectEmail({ state, email }: { readonly state: FormState; readonly email: string }) {
  return (
    <details class="more" open={state.problem !== null}>
      <summary>This is not my e-mail address</summary>
      <Form action="/web/verify" state={state}>
        <Field
          name="email"
          type="email"
          label="E-mail address"
          value={typed(state, 'email', email)}
          error={state.errors.email}
          hint="Codes from earlier e-mails will stop working."
          autocomplete="email"
          required
        />
        <Submit look="plain" name="action" value="correct">
          Change it and send a new code
        </Submit>
      </Form>
    </details>
  );
}

/** A link to the bot with the message filled in. */
export function MessengerLink({ bot }: { readonly bot: BotInvitation }) {
  return (
    <a href={bot.url} rel="noreferrer">
      @{bot.botname}
    </a>
  );
}

/** The page behind the link in the verification e-mail: opening it changes nothing, as programs open links, too. */
export function ActivatePage({ site, code }: { readonly site: Site; readonly code: string }) {
  return (
    <AuthLayout site={site} title="Activate your account">
      <p class="hint">
        If you did not create an account here, close this page: without you it is not activated.
      </p>
      <Form action="/web/verify/link">
        <input type="hidden" name="code" value={code} />
        <Submit>Activate account</Submit>
      </Form>
    </AuthLayout>
  );
}

/** What the link in the verification e-mail has done. */
export function VerifiedPage({
  site,
  state,
  signIn,
}: {
  readonly site: Site;
  readonly state: LinkState;
  /** Where the account signs in: at the portal, if there is one. */
  readonly signIn: string;
}) {
  return (
    <AuthLayout site={site} title={state === 'dead' ? 'This link no longer works' : 'Your account is active'}>
      <p class="hint">
        {state === 'dead'
          ? 'It was already used or is older than 15 minutes. Sign in to get a new one.'
          : 'You can sign in now.'}
      </p>
      <a class="button primary" href={signIn}>
        Sign in
      </a>
    </AuthLayout>
  );
}

/** Asks for the e-mail address of a forgotten password. The response is the same for every address. */
export function ResetRequestPage({
  site,
  signIn,
  state = untouched,
  sent = false,
}: {
  readonly site: Site;
  /** Where accounts sign in. */
  readonly signIn: string;
  readonly state?: FormState | undefined;
  readonly sent?: boolean;
}) {
  return (
    <AuthLayout site={site} title="Reset your password">
      {sent ? (
        <p>
          If there is an account with this address, we have sent it an e-mail with a link. The link is valid
          for 15 minutes.
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
          <Submit>Send reset link</Submit>
        </Form>
      )}
      <p class="hint">
        <a href={signIn}>Back to sign-in</a>
      </p>
    </AuthLayout>
  );
}

/** Asks for the new password; `code` came with the link in the e-mail. */
export function ResetPage({
  site,
  state = untouched,
  code,
  email,
}: {
  readonly site: Site;
  readonly state?: FormState | undefined;
  readonly code: string;
  /** The address of the account; null if the link does not work. */
  readonly email: string | null;
}) {
  return (
    <AuthLayout site={site} title="Set a new password">
      <Form action="/web/password-reset/confirm" state={state}>
        <input type="hidden" name="code" value={code} />
        {email !== null && <LoginName value={email} />}
        <Field
          name="password"
          type="password"
          label="New password"
          error={state.errors.password}
          minLength={8}
          hint="At least 8 characters. All your other sessions will end."
          autocomplete="new-password"
          required
          autofocus
        />
        <Submit>Set password</Submit>
      </Form>
      <p class="hint">
        The link in the e-mail works once, for 15 minutes. <a href="/web/password-reset">Request a new one</a>
      </p>
    </AuthLayout>
  );
}
