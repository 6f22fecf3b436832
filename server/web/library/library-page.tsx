import { listPath } from '../address.js';
import { Submit } from '../components/button.js';
import { Form } from '../components/form/form.js';
import { Tile } from '../components/item/media.js';
import { Choice, Search } from '../components/list/filter.js';
import { Pager } from '../components/list/pager.js';
import { Heading, Page } from '../components/page/page.js';
import { Empty } from '../components/parts.js';
import { plural } from '../format.js';
import type { PageProps } from '../page-props.js';
import type { ListedImage, Paged } from '../records.js';

/** The filter of the library, as it is in the address. */
export interface LibraryFilter {
  readonly search: string;
  readonly kind: '' | 'image' | 'video' | 'audio' | 'other';
  readonly access: '' | 'public' | 'private' | 'password';
  readonly sort: 'newest' | 'oldest' | 'largest' | 'name';
}

const kinds = [
  ['', 'All types'],
  ['image', 'Images'],
  ['video', 'Video'],
  ['audio', 'Audio'],
  ['other', 'Other files'],
] as const;
const accesses = [
  ['', 'Public and private'],
  ['public', 'Public'],
  ['private', 'Private'],
  ['password', 'Password-protected'],
] as const;
const sorts = [
  ['newest', 'Newest first'],
  ['oldest', 'Oldest first'],
  ['largest', 'Largest first'],
  ['name', 'By name'],
] as const;

/** All uploads of a user, with actions for several at once. */
export function LibraryPage({
  site,
  list,
  filter,
  playlists,
}: PageProps<{
  readonly list: Paged<ListedImage>;
  readonly filter: LibraryFilter;
  readonly playlists: readonly { readonly uniqueId: string; readonly title: string }[];
}>) {
  const narrowed = filter.search !== '' || filter.kind !== '' || filter.access !== '';
  return (
    <Page site={site} title="Library" scripts={['library']} width="wide">
      <Heading title="Library" lead={plural(list.total, 'item')} />
      <Search action="/web/library" search={filter.search} label="Search names and descriptions">
        <Choice name="kind" label="Type" value={filter.kind} options={kinds} />
        <Choice name="access" label="Who can see it" value={filter.access} options={accesses} />
        <Choice name="sort" label="Sort by" value={filter.sort} options={sorts} />
      </Search>
      {list.total === 0 ? (
        <Empty icon="image" title={narrowed ? 'Nothing matches' : 'Nothing here yet'}>
          {narrowed ? <a href="/web/library">Show all</a> : <a href="/web/image-upload">Upload something</a>}
        </Empty>
      ) : (
        <>
          <ul class="gallery">
            {list.items.map((image, index) => (
              <Tile key={image.uniqueId} image={image} pick eager={index < 12} />
            ))}
          </ul>
          <Pager
            list={list}
            href={(page) => libraryPath(filter, page)}
            newestFirst={filter.sort === 'newest'}
          />
          {list.items.length > 0 && <Bulk action={libraryPath(filter, list.page)} playlists={playlists} />}
        </>
      )}
    </Page>
  );
}

/** Actions for the selected items; the checkboxes in the gallery belong to this form. */
function Bulk({
  action,
  playlists,
}: {
  readonly action: string;
  readonly playlists: readonly { readonly uniqueId: string; readonly title: string }[];
}) {
  return (
    <form
      id="library"
      class="bulk"
      method="post"
      action={action}
      enctype="multipart/form-data"
      data-bulk
      aria-label="Selected items"
    >
      <span class="count" data-count role="status">
        Selected items
      </span>
      <button type="button" class="button quiet scripted" data-select-all>
        Select all
      </button>
      <div class="acts" data-acts>
        <Submit look="plain" icon="globe" name="action" value="open">
          Make public
        </Submit>
        <Submit look="plain" icon="lock" name="action" value="private">
          Make private
        </Submit>
        {playlists.length > 0 && (
          <>
            <select name="playlist" aria-label="Playlist to add to">
              {playlists.map((playlist) => (
                <option key={playlist.uniqueId} value={playlist.uniqueId} dir="auto">
                  {playlist.title}
                </option>
              ))}
            </select>
            <Submit look="plain" icon="playlist" name="action" value="add">
              Add
            </Submit>
          </>
        )}
        <Submit look="danger" icon="trash" name="action" value="delete">
          Delete
        </Submit>
      </div>
    </form>
  );
}

/** Asks for confirmation before several items are deleted. */
export function BulkDeletePage({
  site,
  ids,
  library,
}: PageProps<{
  readonly ids: readonly string[];
  /** The path of the library with its current filter and page. */
  readonly library: string;
}>) {
  return (
    <Page site={site} title="Delete these items?" width="narrow">
      <Heading
        title={`Delete ${plural(ids.length, 'item')}?`}
        lead="Their links stop working immediately. This cannot be undone."
      />
      <Form action={library} files>
        {ids.map((id) => (
          <input key={id} type="hidden" name="ids" value={id} />
        ))}
        <input type="hidden" name="confirmed" value="true" />
        <div class="actions">
          <Submit look="danger" icon="trash" name="action" value="delete">
            Delete
          </Submit>
          <a class="button quiet" href={library}>
            Keep them
          </a>
        </div>
      </Form>
    </Page>
  );
}

/** The path of the library with this filter and page. */
export function libraryPath(filter: LibraryFilter, page: number): string {
  return listPath('/web/library', { ...filter, page });
}
