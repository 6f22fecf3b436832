import { editorPath } from '../address.js';
import { LinkButton } from '../components/button.js';
import { Tile } from '../components/item/media.js';
import { Heading, Page } from '../components/page/page.js';
import { Empty, Person, Time } from '../components/parts.js';
import { plural } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { Meta } from '../preview.js';
import type { PlaylistRecord } from '../records.js';

/** The public page of a playlist: a gallery of the items that the viewer may see. */
export function PlaylistPage({
  site,
  playlist,
  meta,
  archiveUrl,
  mayEdit,
}: PageProps<{
  readonly playlist: PlaylistRecord;
  readonly meta: readonly Meta[];
  /** Address of an archive of all files that the viewer may open; null if there are none. */
  readonly archiveUrl: string | null;
  readonly mayEdit: boolean;
}>) {
  return (
    <Page site={site} title={playlist.title} meta={meta} shell="content" width="wide">
      <Heading title={playlist.title} lead={playlist.description}>
        {archiveUrl && (
          <LinkButton href={archiveUrl} icon="archive">
            Download all
          </LinkButton>
        )}
        {mayEdit && <LinkButton href={editorPath(playlist.uniqueId)}>Edit</LinkButton>}
      </Heading>
      <p class="byline">
        <Person user={playlist.owner} />
        <span class="hint">
          {plural(playlist.images.length, 'item')} · <Time at={playlist.createdAt} />
        </span>
      </p>
      {playlist.images.length === 0 ? (
        <Empty icon="playlist" title="This playlist is empty" />
      ) : (
        <ul class="gallery">
          {playlist.images.map((image, index) => (
            <Tile key={image.uniqueId} image={image} eager={index < 8} />
          ))}
        </ul>
      )}
    </Page>
  );
}
