import { t } from '../../../routers/base/language/i18n.js';
import { CopyButton } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Icon } from '../components/icon.js';
import { Card, CopyField } from '../components/parts.js';
import type { PageProps } from '../page-props.js';
import { Settings } from './settings.js';

/** The key of an account, to which its owner and others seal. It is made and opened by a script alone. */
export function SealPage({
  site,
  kept,
}: PageProps<{ readonly kept: { readonly recipient: string; readonly wrapped: string } | null }>) {
  return (
    <Settings
      site={site}
      title={t('Own key')}
      lead={t(
        'What is sealed to it can be opened by you alone: uploads “to myself”, and what guests send to sealed requests.',
      )}
      scripts={['seal']}
    >
      {kept === null ? (
        <Card title={t('Make a key')}>
          <p class="notice">
            <Icon name="warning" />
            {t(
              'The key is kept here, encrypted with a passphrase that this server never gets. Whoever loses both the passphrase and the recovery text loses everything that was sealed to the key; nobody can restore it.',
            )}
          </p>
          <Secret what="make" label={t('New passphrase')} action={t('Make the key')} isNew />
        </Card>
      ) : (
        <>
          <Card title={t('Public key')} hint={t('Give it to those who seal something for you.')}>
            <CopyField label={t('Public key')} value={kept.recipient} />
          </Card>
          <Card
            title={t('Recovery text')}
            hint={t('It opens everything without the passphrase. Keep it on paper.')}
          >
            <Secret
              what="recover"
              label={t('Passphrase')}
              action={t('Show the recovery text')}
              wrapped={kept.wrapped}
            />
          </Card>
          <Ask
            action="/web/settings/seal"
            value="remove"
            label={t('Remove the key')}
            lost={t('What was sealed to it then opens with its recovery text only.')}
            sure={t('Yes, remove the key')}
          />
        </>
      )}
      <div data-recovery hidden>
        <Card title={t('Print this, and keep it in a safe place')}>
          <pre id="secret" />
          <div class="actions">
            <button type="button" class="button primary" data-print>
              {t('Print')}
            </button>
            <CopyButton of="secret">{t('Copy')}</CopyButton>
          </div>
        </Card>
      </div>
    </Settings>
  );
}

/** A form for a passphrase, which has no name: no browser sends it. */
function Secret({
  what,
  label,
  action,
  wrapped,
  isNew = false,
}: {
  readonly what: string;
  readonly label: string;
  readonly action: string;
  readonly wrapped?: string;
  readonly isNew?: boolean;
}) {
  return (
    <>
      <noscript>{t('This needs scripts: the key never leaves your browser.')}</noscript>
      <form class="form scripted" data-seal-form={what} data-wrapped={wrapped}>
        <div class="field">
          <label for="seal-passphrase">{label}</label>
          <input
            id="seal-passphrase"
            type="password"
            autocomplete={isNew ? 'new-password' : 'off'}
            minLength={isNew ? 8 : undefined}
            required
          />
          {isNew && <p class="hint">{t('Four random words or more. If it is lost, so is the content.')}</p>}
        </div>
        <p class="problem" role="alert" data-problem hidden>
          <Icon name="warning" />
          <span />
        </p>
        <button type="submit" class="button primary">
          <Icon name="key" />
          {action}
        </button>
      </form>
    </>
  );
}
