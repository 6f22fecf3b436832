import { t } from '../../../routers/base/language/i18n.js';
import { editPath } from '../address.js';
import type { Offered } from '../collection/offered.js';
import { LinkButton, Submit } from '../components/button.js';
import { FileInput } from '../components/form/field.js';
import { ActionForm, Form, untouched } from '../components/form/form.js';
import { KeyField } from '../components/form/new-item.js';
import { Icon } from '../components/icon.js';
import { Tile } from '../components/item/media.js';
import { QueueRow } from '../components/item/queue-row.js';
import { Heading, Page, Terms } from '../components/page/page.js';
import { Card, CopyField } from '../components/parts.js';
import { fileSize } from '../format.js';
import { fileLink } from '../image/media-kind.js';
import { LimitsLeft, PauseNotice } from '../limits/left.js';
import type { FormPageProps, PageProps } from '../page-props.js';
import type { ListedImage, OwnLimits } from '../records.js';
import { SealChoice } from '../sealed/sealed-choice.js';
import type { Site } from '../site.js';
import { FolderPanel } from './folder-panel.js';
import { FROM_URL_PATH, UploadOptions } from './upload-options.js';

/** The upload page: a form for one file; with scripts a queue of files with progress. */
export function UploadPage({
  site,
  limits,
  collections,
  into,
  recipient,
  state = untouched,
}: FormPageProps<{
  readonly limits: OwnLimits | null;
  /** Those that files can go into. */
  readonly collections: readonly Offered[];
  /** The one that they go into unless another is chosen, by its id. */
  readonly into: string;
  /** The public key that the account of the viewer keeps. */
  readonly recipient: string | null;
}>) {
  return (
    <Page site={site} title={t('Upload')} scripts={['upload']}>
      <Heading
        title={t('Upload')}
        lead={
          site.acceptedTypes === null
            ? t('Images, videos or any other files up to {size} each.', {
                size: fileSize(site.maxUploadBytes),
              })
            : t('Accepted here: {acceptedTypes}; up to {size} each.', {
                acceptedTypes: site.acceptedTypes,
                size: fileSize(site.maxUploadBytes),
              })
        }
      >
        <LinkButton href={`/web${FROM_URL_PATH}`} icon="link">
          {t('From a web address')}
        </LinkButton>
      </Heading>
      {limits && <PauseNotice limits={limits} />}
      {limits && <LimitsLeft limits={limits} types={['IMAGE', 'TOTAL']} />}
      <Form
        action="/web/image-upload"
        state={state}
        files
        script="upload"
        id="upload"
        data={dataOf(site, collections)}
      >
        {site.viewer === null && <KeyField site={site} />}
        <div class="drop" data-drop>
          <Icon name="bag" />
          <label for="file">
            <span class="choose">{t('Choose files')}</span>
          </label>
          <p class="hint scripted by-mouse">
            {t('or drop files and folders anywhere on this page, or paste from the clipboard')}
          </p>
          <FileInput lost={state.lost.includes('file')} accept={site.accept} required />
          <button type="button" class="button quiet scripted" data-choose-folder>
            <Icon name="archive" />
            {t('Choose a folder')}
          </button>
        </div>
        <UploadOptions
          site={site}
          state={state}
          ofFiles
          collections={collections}
          into={into}
          sealing={<SealChoice own={recipient} />}
        />
        <ol class="queue" data-queue aria-label={t('Uploads')} />
        <div class="actions" data-plain>
          <Submit icon="upload">{t('Upload')}</Submit>
        </div>
      </Form>
      <Together site={site} />
      <QueueRow
        site={site}
        actions={{
          open: t('Open'),
          ...(site.viewer === null ? {} : { change: t('Change') }),
          copy: t('Copy link'),
          'sign-in': t('Sign in'),
          pause: t('Pause'),
          resume: t('Resume'),
          retry: t('Try again'),
          remove: t('Remove'),
          cancel: t('Cancel'),
        }}
      >
        <p class="hint" data-note hidden>
          {t('Location and camera data may remain in this file: they cannot be removed from its format.')}
        </p>
      </QueueRow>
      <template id="folder-panel">
        <FolderPanel site={site} />
      </template>
    </Page>
  );
}

/** How far all uploads of the page are, in sight however many they are, and what can be done with all of them. */
const Together = ({ site }: { readonly site: Site }) => (
  <section class="bulk together" data-together hidden aria-label={t('All uploads')}>
    <p class="count" data-total />
    <p class="unseen" data-said role="status" />
    <div class="actions" hidden>
      <button type="button" class="button plain" data-copy="">
        <Icon name="copy" />
        {t('Copy all links')}
      </button>
      {site.viewer !== null && (
        <ActionForm
          action="/web/collections"
          fields={{ title: t('New collection') }}
          look="plain"
          icon="album"
        >
          {t('Make a collection')}
        </ActionForm>
      )}
    </div>
    <progress max="1" value="0" aria-label={t('Progress')} />
  </section>
);

/** What the script has to know of this installation. */
const dataOf = ({ assets, maxUploadBytes }: Site, collections: readonly Offered[]) => ({
  'data-sealed-only': collections.flatMap(({ uniqueId, sealed }) => (sealed ? [uniqueId] : [])).join(' '),
  'data-hasher': assets.url('hasher'),
  'data-max-bytes': String(maxUploadBytes),
});

/** The response to a form sent without scripts: the file with its links. */
export function UploadedPage({ site, image }: PageProps<{ readonly image: ListedImage }>) {
  const { urlSet, uniqueId } = image;
  return (
    <Page site={site} title={t('Uploaded')}>
      <Heading title={t('Uploaded')}>
        <LinkButton href="/web/image-upload" icon="upload">
          {t('Upload more')}
        </LinkButton>
      </Heading>
      <Card>
        <div class="result">
          <ul>
            <Tile image={image} />
          </ul>
          <div class="copies">
            <CopyField label={t('Link')} value={urlSet.userPreference ?? urlSet.shortUrl} />
            <CopyField label={t('Direct link')} value={fileLink(image)} />
            {urlSet.deletionUrl && <CopyField label={t('Deletion link')} value={urlSet.deletionUrl} />}
            {site.viewer && <Terms {...image} change={editPath('image', uniqueId)} />}
          </div>
        </div>
      </Card>
    </Page>
  );
}
