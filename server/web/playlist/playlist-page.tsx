import { t } from '../../../routers/base/language/i18n.js';
import { editorPath, itemPath, listPath, playlistPath, withQuery } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Hero } from '../components/item/hero.js';
import { Tile, thumbnailOf } from '../components/item/media.js';
import { Pager } from '../components/list/pager.js';
import { Page } from '../components/page/page.js';
import { Empty } from '../components/parts.js';
import { ReportLink } from '../moderation/report-page.js';
import type { PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { ListedImage, Paged, PlaylistRecord } from '../records.js';

/** The page of an item as one of a playlist: it leads to those beside it, and back; with its ticket, if it has one. */
export const withinPlaylist = (playlist: string, uniqueId: string, ticket: string | null): string =>
  withQuery(itemPath('image', uniqueId), { in: 'playlist', list: playlist, ticket });

/** The public page of a playlist: a gallery of the items that the viewer may see. */
export function PlaylistPage({
  site,
  playlist,
  list,
  meta,
  archiveUrl,
  mayEdit,
}: PageProps<{
  readonly playlist: PlaylistRecord;
  /** The items on this page. */
  readonly list: Paged<ListedImage>;
  readonly meta: readonly Meta[];
  /** Address of an archive of all files that the viewer may open; null if there are none. */
  readonly archiveUrl: string | null;
  readonly mayEdit: boolean;
}>) {
  const ticket = playlist.ticket ?? null;
  return (
    <Page site={site} title={playlist.title} meta={meta} width="wide">
      <Hero
        title={playlist.title}
        description={playlist.description}
        cover={list.items.find((image) => thumbnailOf(image) !== null) ?? null}
        owner={playlist.owner}
        at={playlist.createdAt}
        holds={[t('{count, plural, one {# file} other {# files}}', { count: list.total })]}
        quarantine={playlist.quarantine}
      >
        {archiveUrl && (
          <LinkButton href={archiveUrl} icon="download" look="primary">
            {t('Download all')}
          </LinkButton>
        )}
        {mayEdit && (
          <LinkButton href={editorPath(playlist.uniqueId)} icon="pen">
            {t('Edit')}
          </LinkButton>
        )}
      </Hero>
      {list.total === 0 ? (
        <Empty icon="playlist" title={t('This playlist is empty')} />
      ) : (
        <ul class="gallery">
          {list.items.map((image, index) => (
            <Tile
              key={image.uniqueId}
              image={image}
              eager={index < 8}
              href={withinPlaylist(playlist.uniqueId, image.uniqueId, ticket)}
            />
          ))}
        </ul>
      )}
      <Pager
        list={list}
        href={(page) => listPath(playlistPath(playlist.uniqueId), { page, ticket: ticket ?? '' })}
        newestFirst={false}
      />
      {!mayEdit && <ReportLink kind="collection" uniqueId={playlist.uniqueId} />}
    </Page>
  );
}
