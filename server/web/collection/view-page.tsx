import { t } from '../../../routers/base/language/i18n.js';
import { here, withQuery } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Stage } from '../components/item/media.js';
import { FileCard } from '../components/item/player.js';
import { Heading, Page } from '../components/page/page.js';
import { ImageFacts } from '../image/image-page.js';
import { type Around, Viewer } from '../image/viewer.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import type { CollectionFile } from '../records.js';
import { SealedStage } from '../sealed/sealed-stage.js';
import { asOpened, nameIn } from './tree.js';

/** A file of an opened collection, with the way to those beside it, or a file that a share link opens. */
export function CollectionViewPage({
  site,
  file,
  fileUrl,
  around,
  less = false,
}: PageProps<{
  readonly file: CollectionFile;
  readonly fileUrl: string;
  /** The collection that it is in; null for a file that is shared by itself. */
  readonly around: Around | null;
  /** It is shown in a smaller size only. */
  readonly less?: boolean;
}>) {
  const image = asOpened(file);
  const name = nameIn(file);
  const download = withQuery(here(fileUrl), { download: 'true' });
  const staged = { image, password: null, beside: false, less };
  return (
    <Page site={site} title={name} scripts={file.sealed ? ['viewer', 'sealed'] : ['viewer']} width="wide">
      <Viewer
        around={around}
        reads={file.sealed}
        stage={
          file.sealed ? (
            <SealedStage
              page={site.origin + site.address}
              item={file}
              of={{ url: fileUrl, password: null }}
              carries={around !== null}
            />
          ) : // To show one with counted views would use one.
          file.maxViews === null ? (
            <Stage {...staged} />
          ) : (
            <div class="stage">
              <FileCard {...staged} />
            </div>
          )
        }
      >
        <Heading title={name} lead={file.description !== name ? file.description : null} />
        <div class="share">
          {/* With a ticket it is for this browser alone. */}
          {new URL(fileUrl).search === '' && (
            <CopyButton text={site.origin + site.address} look="primary">
              {t('Copy link')}
            </CopyButton>
          )}
          {!less && !file.sealed && (
            <LinkButton href={download} icon="download" download>
              {t('Download')}
            </LinkButton>
          )}
        </div>
        <ImageFacts image={image} />
        <ReportLink kind="image" uniqueId={file.uniqueId} />
      </Viewer>
    </Page>
  );
}
