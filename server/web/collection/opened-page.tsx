import { t } from '../../../routers/base/language/i18n.js';
import { here, itemPath, tileAnchor, withQuery } from '../address.js';
import { CopyButton, LinkButton } from '../components/button.js';
import { Icon } from '../components/icon.js';
import { Hero } from '../components/item/hero.js';
import { Tile, thumbnailOf } from '../components/item/media.js';
import { Pager } from '../components/list/pager.js';
import { Page } from '../components/page/page.js';
import { Card, Empty } from '../components/parts.js';
import { fileSize } from '../format.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { CollectionFile, OpenedCollection, Paged } from '../records.js';
import { SealedAsk, SealedCopies, SealedNotice } from '../sealed/sealed-stage.js';
import { asOpened, type Folder, nameIn, treeOf } from './tree.js';

/** A file, and the page that shows it. */
interface Linked {
  readonly path: string;
  readonly file: CollectionFile;
  readonly href: string;
}

/** What those see who opened a collection: its files by folders, each with a page, and all of them as a zip. */
export function OpenedPage({
  site,
  collection,
  list,
  meta,
  zipUrl,
  randomUrl,
  pageHref,
  viewHref,
  editPath,
}: PageProps<{
  readonly collection: Omit<OpenedCollection, 'items'>;
  /** The files on this page. */
  readonly list: Paged<CollectionFile>;
  readonly meta: readonly Meta[];
  readonly zipUrl: string | null;
  /** Leads to one of its pictures. */
  readonly randomUrl: string;
  readonly pageHref: (page: number) => string;
  /** The page of the file at this place of the page. */
  readonly viewHref: (file: CollectionFile, index: number) => string;
  /** The owner's page of it; null for everybody else. */
  readonly editPath: string | null;
}>) {
  const { items } = list;
  const files = items.map((file, index) => ({
    path: file.path,
    file,
    // A locked one has a page of its own, which asks for its password.
    href: file.fileUrl === null ? itemPath('image', file.uniqueId) : viewHref(file, index),
  }));
  const pictured = collection.sealed ? [] : items;
  const cover =
    pictured.find(({ uniqueId, fileUrl }) => uniqueId === collection.cover && fileUrl !== null) ??
    pictured.find((file) => file.fileUrl !== null && thumbnailOf(asOpened(file)) !== null);
  const tree = treeOf(files);
  return (
    <Page
      site={site}
      title={collection.title || t('A sealed collection')}
      meta={meta}
      width="wide"
      scripts={collection.sealed ? ['sealed'] : []}
    >
      <Hero
        title={collection.title || t('A sealed collection')}
        sealedName={collection.sealedName}
        description={collection.description}
        cover={cover === undefined ? null : asOpened(cover)}
        owner={collection.owner}
        at={collection.createdAt}
        holds={[
          t('{count, plural, one {# file} other {# files}}', { count: list.total }),
          fileSize(collection.totalSize),
        ]}
        quarantine={collection.quarantine ?? null}
      >
        {zipUrl && (
          <LinkButton href={here(zipUrl)} icon="download" look="primary">
            {t('Download all')}
          </LinkButton>
        )}
        {items.some(({ mimeType, fileUrl }) => mimeType.startsWith('image/') && fileUrl !== null) && (
          <LinkButton href={randomUrl} icon="image">
            {t('Random picture')}
          </LinkButton>
        )}
        {editPath && (
          <LinkButton href={editPath} icon="pen">
            {t('Edit')}
          </LinkButton>
        )}
      </Hero>
      {collection.sealed && (
        <section class="sealed">
          <SealedNotice />
          <SealedAsk />
          <div data-opened hidden>
            <p>{t('Files are added once they are sealed for this public key:')}</p>
            <p>
              <code id="public" />
            </p>
            <div class="actions">
              {editPath && (
                <a
                  class="button primary"
                  href={withQuery('/web/image-upload', { collection: collection.uniqueId })}
                  data-seals
                >
                  <Icon name="upload" />
                  {t('Upload sealed files')}
                </a>
              )}
              <CopyButton of="public">{t('Copy')}</CopyButton>
              <SealedCopies page={site.origin + site.address} />
            </div>
          </div>
        </section>
      )}
      {list.total === 0 ? (
        <Empty icon="album" title={t('There is nothing here yet')} />
      ) : cover === undefined ? (
        <Card>
          <Rows folder={tree} />
        </Card>
      ) : (
        <Galleries folder={tree} above={null} />
      )}
      <Pager list={list} href={pageHref} newestFirst={false} />
      {editPath === null && <ReportLink kind="collection" uniqueId={collection.uniqueId} />}
    </Page>
  );
}

/** The sealed name of a file, which a script opens; undefined for one that is not sealed. */
const namedOf = ({ sealed, sealedName }: CollectionFile): string | undefined =>
  sealed ? (sealedName ?? '') : undefined;

/** The files of a folder, and below a heading those of each folder in it. */
function Galleries({ folder, above }: { readonly folder: Folder<Linked>; readonly above: string | null }) {
  const path = [above, folder.name].filter(Boolean).join(' / ');
  return (
    <>
      {folder.files.length > 0 && (
        <section class="part">
          {path !== '' && <h2 dir="auto">{path}</h2>}
          <ul class="gallery">
            {folder.files.map(({ file: { file, href } }, index) => (
              <Tile
                key={file.uniqueId}
                image={asOpened(file)}
                href={href}
                eager={above === null && index < 8}
              />
            ))}
          </ul>
        </section>
      )}
      {folder.folders.map((inner) => (
        <Galleries key={inner.name} folder={inner} above={path} />
      ))}
    </>
  );
}

/** The same where there is nothing to look at. */
function Rows({ folder }: { readonly folder: Folder<Linked> }) {
  return (
    <>
      {folder.folders.map((inner) => (
        <details key={inner.name} open>
          <summary dir="auto">{inner.name}</summary>
          <Rows folder={inner} />
        </details>
      ))}
      <ul class="rows">
        {folder.files.map(({ file: { file, href } }) => (
          <li key={file.uniqueId} id={tileAnchor(file.uniqueId)}>
            <span class="what">
              <a href={href} dir="auto" data-named={namedOf(file)}>
                {nameIn(file)}
              </a>
              {file.size !== null && <span class="hint"> {fileSize(file.size)}</span>}
            </span>
            {file.fileUrl && (
              <LinkButton
                href={withQuery(here(file.fileUrl), { download: 'true' })}
                look="quiet"
                icon="download"
                download
              >
                {t('Download')}
              </LinkButton>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
