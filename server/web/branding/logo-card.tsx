import { t } from '../../../routers/base/language/i18n.js';
import { Submit } from '../components/button.js';
import { FileInput } from '../components/form/field.js';
import { Form } from '../components/form/form.js';
import { thumbnailOf } from '../components/item/media.js';
import { nameOf } from '../components/item/player.js';
import { Card } from '../components/parts.js';
import type { FormPageProps } from '../page-props.js';
import type { ListedImage } from '../records.js';
import { logoPath } from './parts.js';

/** Where the logo is chosen and removed; below it, where one is uploaded. */
const LOGO_PATH = '/web/admin/branding/logo';

/** The logo as it is, and what becomes one: a file, or one of the latest pictures of the viewer. */
export function LogoCard({
  logo,
  pictures,
  state,
}: FormPageProps<{ readonly logo: string | null; readonly pictures: readonly ListedImage[] }>) {
  return (
    <Card title={t('Logo')} hint={t('A square picture fits best. Everybody can see it.')}>
      {logo !== null && (
        <Form action={LOGO_PATH}>
          <div class="portrait">
            <img src={logoPath(logo, 144)} alt={t('The logo now')} width="72" height="72" />
            <Submit look="quiet" icon="x" name="action" value="remove">
              {t('Remove')}
            </Submit>
          </div>
        </Form>
      )}
      <Form action={`${LOGO_PATH}/file`} state={state} files>
        <div class="field">
          <label for="file">{t('New picture')}</label>
          <FileInput lost={state?.lost.includes('file') ?? false} accept="image/*" required />
        </div>
        <Submit look="plain" icon="upload" name="action" value="logo">
          {t('Upload')}
        </Submit>
      </Form>
      {pictures.length > 0 && (
        <details class="more">
          <summary>{t('Choose from the library')}</summary>
          <Form action={LOGO_PATH}>
            <ul class="choice-of-pictures">
              {pictures.map((image) => (
                <li key={image.uniqueId}>
                  <button type="submit" name="logo" value={image.uniqueId} aria-label={nameOf(image)}>
                    <img src={thumbnailOf(image) ?? ''} alt="" loading="lazy" />
                  </button>
                </li>
              ))}
            </ul>
          </Form>
        </details>
      )}
    </Card>
  );
}
