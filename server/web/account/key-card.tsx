import { t } from '../../../routers/base/language/i18n.js';
import { CopyButton, Submit } from '../components/button.js';
import { Ask } from '../components/form/ask.js';
import { Form } from '../components/form/form.js';
import { Card } from '../components/parts.js';

/** The main key, hidden until the user opens it; null if it is switched off. */
export function MainKeyCard({ apiKey }: { readonly apiKey: string | null }) {
  if (apiKey === null)
    return (
      <Card
        title={t('Main API key')}
        hint={t('Switched off. Tools can use named keys, which do only what you allow.')}
      >
        <Form action="/web/settings/security/key">
          <div class="actions">
            <Submit look="plain" name="action" value="replace">
              {t('Switch on with a new key')}
            </Submit>
          </div>
        </Form>
      </Card>
    );
  return (
    <Card
      title={t('Main API key')}
      hint={t('Anyone who has it can do everything you can. Named keys do only what you allow.')}
    >
      <details class="more">
        <summary>{t('Show key')}</summary>
        <p class="actions">
          <code class="secret">{apiKey}</code>
          <CopyButton text={apiKey}>{t('Copy')}</CopyButton>
        </p>
      </details>
      <Ask
        action="/web/settings/security/key"
        value="replace"
        icon="refresh"
        label={t('Replace key')}
        lost={t(
          'The current key stops working immediately and for good. Tools that use it stop working until you give them the new one.',
        )}
        sure={t('Yes, replace the key')}
      />
      <Ask
        action="/web/settings/security/key"
        value="off"
        icon="x"
        label={t('Switch off')}
        lost={t(
          'The key stops working immediately and for good. Older tools and front ends know only this key.',
        )}
        sure={t('Yes, switch it off')}
      />
    </Card>
  );
}
