import { safeNext } from '../../../routers/base/local-path.js';
import { offeredCollections } from '../collection/offered.js';
import { pageNumber } from '../listing.js';
import { remember } from '../remember.js';
import { getPage, goTo, type PageAnswer, type PageRequest, page, postForm } from '../request.js';
import { requireViewer } from '../viewer.js';
import { filterOf, libraryAsked } from './asked.js';
import { isNarrowed, LibraryPage } from './library-page.js';
import { TILES_COOKIE, tilesOf } from './tiles.js';

/** The library of the signed-in user. */
export const libraryPages = [getPage('/library', showLibrary), postForm('/library/tiles', chooseTiles)];

/** How many items a page of the library has: full rows, whether two, three, four, five or six fit into one. */
export const PAGE_SIZE = 60;
/** So many tags are offered above it; a search finds the others. */
const MAX_TAGS = 30;

async function chooseTiles(request: PageRequest): Promise<PageAnswer> {
  const tiles = tilesOf(request.body.text('tiles') ?? null);
  remember(request, TILES_COOKIE, tiles === 'medium' ? null : tiles);
  return goTo(safeNext(request.body.string('next')));
}

async function showLibrary(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, query, ctx } = request;
  const filter = filterOf(query);
  const [list, months, tags, collections] = await Promise.all([
    libraryAsked(call, query, { page: pageNumber(query), pageSize: PAGE_SIZE }),
    filter.sort === 'newest' && !isNarrowed(filter) ? call.library.months() : [],
    call.library.tags({ kind: 'image' }),
    offeredCollections(request, filter.into),
  ]);
  const names = tags.slice(0, MAX_TAGS).map(({ tag }) => tag);
  const tiles = tilesOf(ctx.cookie(TILES_COOKIE));
  return page(<LibraryPage {...{ site, list, filter, months, tags: names, collections, tiles }} />);
}
