import { t } from '../../../routers/base/language/i18n.js';
import { inPath } from '../../../routers/base/slug.js';
import { Check } from '../components/form/choices.js';
import { Field } from '../components/form/field.js';

const COLOUR = '#?[0-9a-fA-F]{6}';

/** The QR code of a link in colours and a size of choice, as a picture or a drawing. */
export function QrDownloads({ uniqueId }: { readonly uniqueId: string }) {
  const path = `/qr/${inPath(uniqueId)}`;
  return (
    <details class="more">
      <summary>{t('QR code as a file')}</summary>
      <form class="form" method="get" action={`${path}.png`}>
        <div class="form pair">
          <Field name="color" label={t('Colour')} value="#000000" pattern={COLOUR} />
          <Field name="background" label={t('Background')} value="#ffffff" pattern={COLOUR} />
          <Field name="size" label={t('Size in pixels')} type="number" value="1024" min={64} max={2048} />
        </div>
        <Check name="logo" label={t('With the logo')} />
        <div class="actions">
          <button type="submit" class="button">
            {t('Download as PNG')}
          </button>
          <button type="submit" class="button plain" formaction={`${path}.svg`}>
            {t('Download as SVG')}
          </button>
        </div>
      </form>
    </details>
  );
}
