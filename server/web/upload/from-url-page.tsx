import { t } from '../../../routers/base/language/i18n.js';
import { LinkButton, Submit } from '../components/button.js';
import { Field } from '../components/form/field.js';
import { bind, Form, untouched } from '../components/form/form.js';
import { KeyField } from '../components/form/new-item.js';
import { Heading, Page } from '../components/page/page.js';
import { fileSize } from '../format.js';
import { LimitsLeft, PauseNotice } from '../limits/left.js';
import type { FormPageProps } from '../page-props.js';
import type { OwnLimits } from '../records.js';
import { FROM_URL_PATH, UploadOptions } from './upload-options.js';

/** A form for one file that the server fetches from a web address. */
export function FromUrlPage({
  site,
  limits,
  state = untouched,
}: FormPageProps<{ readonly limits: OwnLimits | null }>) {
  const { field } = bind(state);
  return (
    <Page site={site} title={t('Upload from a web address')} scripts={['fetching']}>
      <Heading
        title={t('Upload from a web address')}
        lead={[
          t('The server fetches the file itself, up to {size}.', { size: fileSize(site.maxUploadBytes) }),
          ...(site.acceptedTypes === null
            ? []
            : [t('Accepted here: {acceptedTypes}.', { acceptedTypes: site.acceptedTypes })]),
        ].join(' ')}
      >
        <LinkButton href="/web/image-upload" icon="upload">
          {t('Upload files')}
        </LinkButton>
      </Heading>
      {limits && <PauseNotice limits={limits} />}
      {limits && <LimitsLeft limits={limits} types={['IMAGE', 'TOTAL']} />}
      <Form action={`/web${FROM_URL_PATH}`} state={state}>
        {site.viewer === null && <KeyField site={site} />}
        <Field
          {...field('url')}
          label={t('Address')}
          hint={t('Public addresses only. The transfer goes on if you leave the page.')}
          inputMode="url"
          placeholder="https://example.org/photo.jpg"
          required
        />
        <Field
          {...field('filename')}
          label={t('File name')}
          hint={t('The address decides otherwise.')}
          maxLength={200}
        />
        <UploadOptions site={site} state={state} />
        <progress data-fetching hidden aria-label={t('The file is being fetched')} />
        <div class="actions">
          <Submit icon="upload">{t('Fetch and upload')}</Submit>
        </div>
      </Form>
    </Page>
  );
}
