import { KINDS } from '../../../routers/base/kinds.js';
import { msg, t, translateMessage } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Check, optionsOf, Select } from '../components/form/choices.js';
import { Form } from '../components/form/form.js';
import { Card } from '../components/parts.js';
import { KIND_WORDS } from '../kinds.js';
import type { UrlSettings } from '../records.js';

const preferences = [
  ['', msg('Default (short link)')],
  ['PORTAL', msg('Page')],
  ['SHORT', msg('Short link')],
  ['RAW', msg('Direct link')],
] as const;

/** Which link is offered first. */
export const LinkCard = ({
  settings,
  weekly,
}: {
  readonly settings: UrlSettings;
  /** A mail tells once a week which targets do not answer. */
  readonly weekly: boolean;
}) => (
  <Card title={t('Links')} hint={t('Which link you copy first.')}>
    <Form action="/web/settings/links">
      {KINDS.map((kind) => (
        <Select
          key={kind}
          name={kind}
          label={translateMessage(KIND_WORDS[kind].preference)}
          value={settings[kind]}
          options={optionsOf(preferences)}
        />
      ))}
      <Check
        name="weekly"
        label={t('Mail me once a week which targets of my links do not answer')}
        hint={t('Nothing is sent while all of them answer.')}
        checked={weekly}
      />
      <Submit>{t('Save')}</Submit>
    </Form>
  </Card>
);
