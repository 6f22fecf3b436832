import { t } from '../../../routers/base/language/i18n.js';
import type { Settings } from '../../../routers/core/settings.js';
import { Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form } from '../components/form/form.js';
import { Card, CopyField } from '../components/parts.js';
import { type Sending, samplesOf } from './samples.js';

/** Makes a mailbox a test inbox, and says how programs send into it. */
export function TestInboxCard({
  path,
  email,
  isSandbox,
  settings,
  made,
}: {
  readonly path: string;
  readonly email: string;
  readonly isSandbox: boolean;
  readonly settings: Pick<Settings, 'origin' | 'smtp'>;
  /** The credentials that were just made; null otherwise. */
  readonly made: Sending | null;
}) {
  return (
    <Card
      title={t('Test inbox')}
      id="test-inbox"
      hint={t(
        'For programs that send mail: what they send with these credentials, to anybody, is kept here and never leaves.',
      )}
    >
      {settings.smtp === null && (
        <p class="hint">{t('This server does not receive mail by SMTP (SMTP_LISTEN).')}</p>
      )}
      {made !== null && (
        <>
          <p role="status">
            <strong>{t('The password is shown only now.')}</strong>
          </p>
          <CopyField label={t('User name')} value={made.username} />
          <CopyField label={t('Password')} value={made.password} />
        </>
      )}
      {isSandbox &&
        samplesOf(settings, made ?? { username: email, password: 'PASSWORD' }).map(([name, code]) => (
          <details key={name} class="more" open={made !== null}>
            <summary>{name}</summary>
            <pre class="command">
              <code>{code}</code>
            </pre>
          </details>
        ))}
      {isSandbox ? (
        <Ask
          action={path}
          value="end-credentials"
          icon="x"
          label={t('End the test inbox')}
          lost={t('Programs can no longer send into this mailbox. Its messages stay.')}
          sure={t('Yes, end it')}
        />
      ) : null}
      <Form action={path}>
        <Submit look="plain" icon="key" name="action" value="make-credentials">
          {isSandbox ? t('Make a new password') : t('Make it a test inbox')}
        </Submit>
      </Form>
      {!isSandbox && <p class="hint">{t('Forwarding of this mailbox ends with it.')}</p>}
    </Card>
  );
}
