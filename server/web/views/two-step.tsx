import { LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/field.js';
import { Form, type FormState, untouched } from '../components/form.js';
import { Card, CopyField } from '../components/parts.js';
import { Qr } from '../components/qr.js';
import type { SecondFactorState } from '../records.js';
import type { Site } from '../site.js';
import { Settings } from './settings.js';

const title = 'Two-step sign-in';

/** Whether signing in takes a second step, and what can be done about it. */
export function TwoStepPage({
  site,
  factor,
  state = untouched,
}: {
  readonly site: Site;
  readonly factor: SecondFactorState;
  readonly state?: FormState | undefined;
}) {
  const left = factor.recoveryCodes;
  return (
    <Settings
      site={site}
      title={title}
      lead={
        factor.enabled
          ? 'On: signing in takes your password and a code.'
          : 'Off: signing in takes your password alone.'
      }
    >
      <Card
        title={factor.enabled ? 'Change it' : 'Set it up'}
        hint={
          factor.enabled
            ? `${left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left.`
            : 'You need an authenticator app on your phone, or a password manager that makes codes.'
        }
      >
        <Form action="/web/settings/security/two-step" state={state}>
          <div class="pair">
            <Field
              name="password"
              type="password"
              label="Password"
              error={state.errors.password}
              autocomplete="current-password"
              required
            />
            {factor.enabled && <CodeField state={state} hint="Of the app, or a recovery code." />}
          </div>
          {factor.enabled ? (
            <div class="actions">
              <Submit name="action" value="recovery">
                Make new recovery codes
              </Submit>
              <Submit look="danger" name="action" value="off">
                Turn it off
              </Submit>
            </div>
          ) : (
            <Submit name="action" value="begin">
              Go on
            </Submit>
          )}
        </Form>
      </Card>
    </Settings>
  );
}

/** A new secret for the app, by picture or by hand, and the field for its first code. */
export function SetUpPage({
  site,
  uri,
  state = untouched,
}: {
  readonly site: Site;
  /** As the app reads it. */
  readonly uri: string;
  readonly state?: FormState | undefined;
}) {
  const secret = URL.canParse(uri) ? (new URL(uri).searchParams.get('secret') ?? '') : '';
  return (
    <Settings site={site} title={title}>
      <Card title="1. Tell the app" hint="Scan the picture with it, or type the key in.">
        <div class="share">
          <div class="copies">
            <CopyField label="Key" value={secret.replace(/(.{4})(?=.)/g, '$1 ')} />
          </div>
          <Qr text={uri} label="The key as a QR code" />
        </div>
      </Card>
      <Card title="2. Show that it works">
        <Form action="/web/settings/security/two-step" state={state}>
          <input type="hidden" name="uri" value={uri} />
          <CodeField state={state} hint="The six digits the app shows now." />
          <div class="actions">
            <Submit name="action" value="confirm">
              Turn it on
            </Submit>
            <LinkButton href="/web/settings/security/two-step" look="quiet">
              Leave it off
            </LinkButton>
          </div>
        </Form>
      </Card>
    </Settings>
  );
}

/** The recovery codes, which nobody sees again. */
export function RecoveryPage({ site, codes }: { readonly site: Site; readonly codes: readonly string[] }) {
  return (
    <Settings site={site} title={title} lead="It is on.">
      <Card
        title="Recovery codes"
        hint="Each lets you in once without the device. Keep them where you find them without it; they are not shown again."
      >
        <ul class="mono codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div class="actions">
          <LinkButton href="/web/settings/security" look="primary">
            I have kept them
          </LinkButton>
        </div>
      </Card>
    </Settings>
  );
}

function CodeField({ state, hint }: { readonly state: FormState; readonly hint: string }) {
  return (
    <Field
      name="code"
      label="Code"
      hint={hint}
      error={state.errors.code}
      autocomplete="one-time-code"
      spellcheck={false}
      maxLength={64}
      required
    />
  );
}
