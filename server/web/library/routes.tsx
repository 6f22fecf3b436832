import type { Fields } from '../../../rest-adapter/fields.js';
import { fail } from '../../../routers/errors.js';
import { withQuery } from '../address.js';
import { choiceOf, pageNumber, searchOf } from '../listing.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { BulkDeletePage, type LibraryFilter, LibraryPage, libraryPath } from './library-page.js';

/** The library of the signed-in user, and actions for several items at once. */
export const libraryPages = [getPage('/library', showLibrary), postForm('/library', changeMany)];

/** The newest playlists to add items to; older ones are available in the editor. */
const MAX_OFFERED = 50;

async function showLibrary(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const filter = filterOf(request.query);
  const list = await request.call.library.images({
    search: filter.search,
    kind: filter.kind === '' ? null : filter.kind,
    access: filter.access === '' ? null : filter.access,
    sort: filter.sort,
    page: pageNumber(request.query),
  });
  const { playlists } = await request.call.playlist.mine({ pageSize: MAX_OFFERED });
  return page(<LibraryPage site={request.site} list={list} filter={filter} playlists={playlists} />);
}

async function changeMany(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, body, query } = request;
  const chosen = body.every('ids').filter((id) => typeof id === 'string');
  const library = libraryPath(filterOf(query), pageNumber(query));
  if (chosen.length === 0) return goTo(withQuery(library, { done: 'nothing' }));
  const action = body.text('action');
  if (action === 'delete' && body.text('confirmed') !== 'true') {
    return page(<BulkDeletePage site={site} ids={chosen} library={library} />);
  }
  if (action === 'delete') await call.library.deleteImages({ ids: chosen });
  else if (action === 'open' || action === 'private')
    await call.library.setPrivate({ ids: chosen, private: action === 'private' });
  else if (action === 'add')
    await call.playlist.putImages({ identifier: body.string('playlist'), imagesUids: chosen });
  else fail('INVALID');
  return goTo(withQuery(library, { done: action === 'delete' ? 'deleted' : 'saved' }));
}

/** The filter in the address; unknown values count as not set. */
function filterOf(query: Fields): LibraryFilter {
  return {
    search: searchOf(query),
    kind: choiceOf(query, 'kind', ['', 'image', 'video', 'audio', 'other'], ''),
    access: choiceOf(query, 'access', ['', 'public', 'private', 'password'], ''),
    sort: choiceOf(query, 'sort', ['newest', 'oldest', 'largest', 'name'], 'newest'),
  };
}
