import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState, stateOf, untouched } from '../components/form/form.js';
import type { FormPageProps } from '../page-props.js';
import { rich } from '../rich.js';
import { AuthLayout } from '../sign-in/auth-layout.js';

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
}: FormPageProps<{
  /** The address that the e-mails go to; null if the account no longer waits for verification. */
  readonly email: string | null;
  /** The messenger that can be used instead; null if there is none. */
  readonly messenger: string | null;
  /** The bot of the messenger and a one-time token for it, once the user has asked for them. */
  readonly bot?: BotInvitation | null;
}>) {
  return (
    <AuthLayout
      site={site}
      title={site.mailThrough === null ? t('Almost there') : t('Check your e-mail')}
      scripts={bot || site.mailThrough === null ? ['live'] : []}
    >
      {site.mailThrough === null ? (
        <>
          <p data-waits>
            {t(
              'Ask the person who invited you, or who runs this server, to let you in. This page goes on as soon as they have.',
            )}
          </p>
          <details class="more" open={state.problem !== null || messenger !== null}>
            <summary>{t('Got a code? Enter it here.')}</summary>
            <Code email={email} messenger={bot ? null : messenger} state={state} />
          </details>
        </>
      ) : (
        <Code email={email} messenger={bot ? null : messenger} state={state} autofocus />
      )}
      {email !== null && <CorrectEmail state={stateOf(state, 'correct')} email={email} />}
      {bot && (
        <p class="hint" data-verify={bot.token}>
          {rich('Or send {code} to {bot} on {messenger}.', {
            code: <code>/start {bot.token}</code>,
            bot: <MessengerLink bot={bot} />,
            messenger: messenger ?? '',
          })}
        </p>
      )}
    </AuthLayout>
  );
}

/** The code from the e-mail, and other ways to get one. */
function Code({
  email,
  messenger,
  state,
  autofocus = false,
}: {
  readonly email: string | null;
  readonly messenger: string | null;
  readonly state: FormState;
  readonly autofocus?: boolean;
}) {
  const { field } = bind(state);
  return (
    <>
      <p>
        {email === null
          ? t('Enter the 6-digit code from the latest e-mail. It is valid for 15 minutes.')
          : rich('Enter the 6-digit code from the latest e-mail to {email}. It is valid for 15 minutes.', {
              email: <strong dir="auto">{email}</strong>,
            })}
      </p>
      <Form action="/web/verify" state={stateOf(state, 'verify')}>
        <Field
          {...field('code')}
          label={t('Verification code')}
          inputMode="numeric"
          autocomplete="one-time-code"
          pattern="[0-9]{6}"
          maxLength={6}
          required
          autofocus={autofocus}
        />
        <Submit name="action" value="verify">
          {t('Activate account')}
        </Submit>
      </Form>
      <Form action="/web/verify" state={stateOf(state, 'resend', 'messenger')}>
        <div class="actions">
          <Submit look="quiet" icon="refresh" name="action" value="resend">
            {t('Send a new code')}
          </Submit>
          {messenger && (
            <Submit look="quiet" icon="link" name="action" value="messenger">
              {t('Use {messenger} instead', { messenger })}
            </Submit>
          )}
        </div>
      </Form>
    </>
  );
}

/** For a user who notices a typo in their address. */
function CorrectEmail({ state, email }: { readonly state: FormState; readonly email: string }) {
  const { field } = bind(state);
  return (
    <details class="more" open={state.problem !== null}>
      <summary>{t('This is not my e-mail address')}</summary>
      <Form action="/web/verify" state={state}>
        <Field
          {...field('email', email)}
          type="email"
          label={t('E-mail address')}
          hint={t('Codes from earlier e-mails will stop working.')}
          autocomplete="email"
          required
        />
        <Submit look="plain" name="action" value="correct">
          {t('Change it and send a new code')}
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
