import { msg, t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { Check, optionsOf, Select } from '../components/form/choices.js';
import { Form } from '../components/form/form.js';
import { Card } from '../components/parts.js';
import type { MediaSettings } from '../records.js';

const metadata = [
  ['strip', msg('Remove all metadata')],
  ['location', msg('Remove the location only')],
  ['keep', msg('Keep all metadata')],
] as const;

/** What happens to uploaded files. */
export const UploadCard = ({ settings }: { readonly settings: MediaSettings }) => (
  <Card title={t('Uploads')} hint={t('For new uploads.')}>
    <Form action="/web/settings/uploads">
      <Select
        name="metadata"
        label={t('Metadata in images and videos')}
        value={settings.metadata}
        options={optionsOf(metadata)}
        hint={t('Location, time, camera and its settings. Anyone who can open a file can read its metadata.')}
      />
      <Check
        name="ocr"
        label={t('Read the words in my pictures')}
        checked={settings.ocr}
        hint={t('You find pictures by them, if this server reads them. Unchecked, what was read is deleted.')}
      />
      <Submit>{t('Save')}</Submit>
    </Form>
  </Card>
);
