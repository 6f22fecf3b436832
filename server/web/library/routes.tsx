import type { Fields } from '../../../rest-adapter/fields.js';
import { offeredCollections } from '../collection/offered.js';
import { choiceOf, pageNumber, searchOf } from '../listing.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { requireViewer } from '../viewer.js';
import { type LibraryFilter, LibraryPage } from './library-page.js';

/** The library of the signed-in user. */
export const libraryPages = [getPage('/library', showLibrary)];

/** How many items a page of the library has: full rows, whether two, three, four, five or six fit into one. */
export const PAGE_SIZE = 60;

async function showLibrary(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const filter = filterOf(request.query);
  const list = await request.call.library.images({
    search: filter.search,
    kind: filter.kind === '' ? null : filter.kind,
    access: filter.access === '' ? null : filter.access,
    sort: filter.sort,
    favourite: filter.favourite !== '',
    page: pageNumber(request.query),
    pageSize: PAGE_SIZE,
  });
  const collections = await offeredCollections(request, filter.into);
  return page(<LibraryPage site={request.site} list={list} filter={filter} collections={collections} />);
}

/** The filter in the address; unknown values count as not set. */
export function filterOf(query: Fields): LibraryFilter {
  return {
    search: searchOf(query),
    kind: choiceOf(query, 'kind', ['', 'image', 'video', 'audio', 'other'], ''),
    access: choiceOf(query, 'access', ['', 'public', 'private', 'password'], ''),
    sort: choiceOf(query, 'sort', ['newest', 'oldest', 'largest', 'name'], 'newest'),
    favourite: choiceOf(query, 'favourite', ['', 'true'], ''),
    into: query.text('into') ?? '',
  };
}
