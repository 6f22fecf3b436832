import { t } from '../../../routers/base/language/i18n.js';
import { CopyButton, LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, type FormState, untouched } from '../components/form/form.js';
import { OwnPassword } from '../components/form/passwords.js';
import { Icon } from '../components/icon.js';
import { Qr } from '../components/item/qr.js';
import { Card, CopyField } from '../components/parts.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import type { SecondFactorState } from '../records.js';
import { Settings } from './settings.js';

/** The state of two-step sign-in, and forms to change it. */
export function TwoStepPage({
  site,
  factor,
  state = untouched,
}: FormPageProps<{
  readonly factor: SecondFactorState;
}>) {
  const left = factor.recoveryCodes;
  return (
    <Settings
      site={site}
      title={t('Two-step sign-in')}
      lead={
        factor.enabled
          ? t('On: signing in needs your password and a code.')
          : t('Off: signing in needs only your password.')
      }
    >
      <Card
        title={factor.enabled ? t('Manage') : t('Set up')}
        hint={
          factor.enabled
            ? t('{left, plural, one {# recovery code is left.} other {# recovery codes are left.}}', { left })
            : t('You need an authenticator app on your phone, or a password manager that generates codes.')
        }
      >
        <Form action="/web/settings/security/two-step" state={state}>
          <div class="pair">
            <OwnPassword state={state} />
            {factor.enabled && <CodeField state={state} hint={t('From the app, or a recovery code.')} />}
          </div>
          {factor.enabled ? (
            <div class="actions">
              <Submit name="action" value="recovery">
                {t('Create new recovery codes')}
              </Submit>
              <Submit look="danger" name="action" value="off">
                {t('Turn off')}
              </Submit>
            </div>
          ) : (
            <Submit name="action" value="begin">
              {t('Continue')}
            </Submit>
          )}
        </Form>
      </Card>
    </Settings>
  );
}

/** A new secret for the app as a QR code and as text, and a field for its first code. */
export function SetUpPage({
  site,
  uri,
  state = untouched,
}: FormPageProps<{
  /** The otpauth address that the app reads. */
  readonly uri: string;
}>) {
  const secret = URL.canParse(uri) ? (new URL(uri).searchParams.get('secret') ?? '') : '';
  return (
    <Settings site={site} title={t('Two-step sign-in')}>
      <Card title={t('1. Add it to your app')} hint={t('Scan the QR code with the app, or enter the key.')}>
        <div class="share">
          <div class="copies">
            <CopyField label={t('Key')} value={secret.replace(/(.{4})(?=.)/g, '$1 ')} />
          </div>
          <Qr text={uri} label={t('QR code of the key')} />
        </div>
      </Card>
      <Card title={t('2. Confirm it works')}>
        <Form action="/web/settings/security/two-step" state={state}>
          <input type="hidden" name="uri" value={uri} />
          <CodeField state={state} hint={t('The 6-digit code the app shows now.')} />
          <div class="actions">
            <Submit name="action" value="confirm">
              {t('Turn on')}
            </Submit>
            <LinkButton href="/web/settings/security/two-step" look="quiet">
              {t('Cancel')}
            </LinkButton>
          </div>
        </Form>
      </Card>
    </Settings>
  );
}

/** The recovery codes, shown only this once. */
export function RecoveryPage({ site, codes }: PageProps<{ readonly codes: readonly string[] }>) {
  return (
    <Settings site={site} title={t('Two-step sign-in')} lead={t('Two-step sign-in is on.')}>
      <Card
        title={t('Recovery codes')}
        hint={t(
          'Each code signs you in once without your device. Store them somewhere safe; they will not be shown again.',
        )}
      >
        <ul class="mono codes">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div class="actions">
          <CopyButton text={codes.join('\n')}>{t('Copy codes')}</CopyButton>
          <a
            class="button plain"
            href={`data:text/plain,${encodeURIComponent(codes.join('\n'))}`}
            download="recovery-codes.txt"
          >
            <Icon name="download" />
            {t('Download')}
          </a>
          <LinkButton href="/web/settings/security" look="primary">
            {t('I have saved them')}
          </LinkButton>
        </div>
      </Card>
    </Settings>
  );
}

function CodeField({ state, hint }: { readonly state: FormState; readonly hint: string }) {
  const { field } = bind(state);
  return (
    <Field
      {...field('code')}
      label={t('Code')}
      hint={hint}
      autocomplete="one-time-code"
      spellcheck={false}
      maxLength={64}
      required
    />
  );
}
