import { t } from '../../../routers/base/language/i18n.js';
import { here, itemPath, withQuery } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Icon, type IconName } from '../components/icon.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Card, Empty, Person, Time } from '../components/parts.js';
import { fileSize } from '../format.js';
import { kindOf } from '../image/media-kind.js';
import { placeholderUrl } from '../image/placeholder.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import type { CollectionFile, OpenedCollection, Paged } from '../records.js';
import { type Folder, treeOf } from './tree.js';

const ICONS: Readonly<Record<string, IconName>> = { image: 'image', video: 'video', audio: 'pulse' };

/** What those see who opened a collection: a gallery, or a list by folders; each file, and all of them as a zip. */
export function OpenedPage({
  site,
  collection,
  list,
  pageHref,
  editPath,
}: PageProps<{
  readonly collection: Omit<OpenedCollection, 'items'>;
  /** The files on this page. */
  readonly list: Paged<CollectionFile>;
  readonly pageHref: (page: number) => string;
  /** The owner's page of it; null for everybody else. */
  readonly editPath: string | null;
}>) {
  const { items } = list;
  return (
    <Page site={site} title={collection.title} width="wide">
      <Heading title={collection.title} lead={collection.description}>
        {collection.zipUrl && (
          <LinkButton href={here(collection.zipUrl)} icon="archive">
            {t('Download all')}
          </LinkButton>
        )}
        {editPath && <LinkButton href={editPath}>{t('Edit')}</LinkButton>}
      </Heading>
      <p class="byline">
        <Person user={collection.owner} />
        <span class="hint">
          {t('{count, plural, one {# file} other {# files}}', { count: list.total })} ·{' '}
          {fileSize(collection.totalSize)} · <Time at={collection.createdAt} />
        </span>
      </p>
      {list.total === 0 ? (
        <Empty icon="archive" title={t('There is nothing here yet')} />
      ) : (
        <div class="collection">
          <fieldset class="views">
            <legend class="hint">{t('Show as')}</legend>
            <label>
              <input type="radio" name="view" id="view-gallery" checked={hasPictures(items)} /> {t('Gallery')}
            </label>
            <label>
              <input type="radio" name="view" id="view-list" checked={!hasPictures(items)} /> {t('List')}
            </label>
          </fieldset>
          <ul class="gallery">
            {items.map((item) => (
              <Tile key={item.uniqueId} item={item} />
            ))}
          </ul>
          <div class="tree">
            <Card>
              <Branch folder={treeOf(items)} />
            </Card>
          </div>
        </div>
      )}
      <Pager list={list} href={pageHref} newestFirst={false} />
      {editPath === null && <ReportLink kind="collection" uniqueId={collection.uniqueId} />}
    </Page>
  );
}

const hasPictures = (items: readonly CollectionFile[]): boolean =>
  items.some((item) => kindOf(item) === 'image' || kindOf(item) === 'video');

/** The address that shows a file; that of a locked one is its own page, which asks for its password. */
const addressOf = ({ fileUrl, uniqueId }: CollectionFile): string =>
  fileUrl === null ? itemPath('image', uniqueId) : here(fileUrl);

/** A small picture; null for what has none, is locked, or counts its views. */
function pictureOf({ fileUrl, maxViews, urlSet, renderable, ...item }: CollectionFile): string | null {
  if (fileUrl === null || maxViews !== null) return null;
  if (item.mimeType.startsWith('video/'))
    return urlSet.posterUrl === null ? null : withQuery(here(fileUrl), { poster: 'true' });
  if (!item.mimeType.startsWith('image/') || renderable === false) return null;
  return withQuery(here(fileUrl), { width: '400', format: 'webp' });
}

function Tile({ item }: { readonly item: CollectionFile }) {
  const source = pictureOf(item);
  const behind = item.maxViews === null ? placeholderUrl(item.thumbhash) : null;
  return (
    <li class="tile">
      <div class="picture">
        {behind && <img src={behind} alt="" />}
        {source ? (
          <img src={source} alt="" loading="lazy" />
        ) : (
          !behind && <Icon name={ICONS[kindOf(item)] ?? 'file'} />
        )}
        <span class="kind">
          {item.fileUrl === null && <Icon name="lock" />}
          {item.type.toUpperCase()}
        </span>
      </div>
      <div class="words">
        <a href={addressOf(item)} dir="auto">
          {item.path.split('/').at(-1)}
        </a>
        {item.size !== null && <span class="hint">{fileSize(item.size)}</span>}
      </div>
    </li>
  );
}

function Branch({ folder }: { readonly folder: Folder<CollectionFile> }) {
  return (
    <>
      {folder.folders.map((inner) => (
        <details key={inner.name} open>
          <summary dir="auto">{inner.name}</summary>
          <Branch folder={inner} />
        </details>
      ))}
      <ul class="rows">
        {folder.files.map(({ name, file }) => (
          <li key={file.uniqueId}>
            <span class="what">
              <a href={addressOf(file)} dir="auto">
                {name}
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
