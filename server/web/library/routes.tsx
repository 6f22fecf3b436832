import { offeredCollections } from '../collection/offered.js';
import { pageNumber } from '../listing.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { requireViewer } from '../viewer.js';
import { filterOf, libraryAsked } from './asked.js';
import { isNarrowed, LibraryPage } from './library-page.js';

/** The library of the signed-in user. */
export const libraryPages = [getPage('/library', showLibrary)];

/** How many items a page of the library has: full rows, whether two, three, four, five or six fit into one. */
export const PAGE_SIZE = 60;
/** So many tags are offered above it; a search finds the others. */
const MAX_TAGS = 30;

async function showLibrary(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, query } = request;
  const filter = filterOf(query);
  const [list, months, tags, collections] = await Promise.all([
    libraryAsked(call, query, { page: pageNumber(query), pageSize: PAGE_SIZE }),
    filter.sort === 'newest' && !isNarrowed(filter) ? call.library.months() : [],
    call.library.tags({ kind: 'image' }),
    offeredCollections(request, filter.into),
  ]);
  const names = tags.slice(0, MAX_TAGS).map(({ tag }) => tag);
  return page(<LibraryPage {...{ site, list, filter, months, tags: names, collections }} />);
}
