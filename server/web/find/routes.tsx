import { isKind } from '../../../routers/base/kinds.js';
import { msg } from '../../../routers/base/language/i18n.js';
import { cutText } from '../../../routers/base/text/cut.js';
import { listPath } from '../address.js';
import { ITEM_PAGES } from '../items.js';
import { choiceOf, listQuery } from '../listing.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { requireViewer } from '../viewer.js';
import { FindPage, type FoundGroup, FoundPage } from './find-page.js';
import { FIND, FOUND_KINDS, findItems, findOf, findSettings, foundTitle } from './found.js';

/** The search through everything that the viewer has, and the items of a tag. */
export const findPages = [getPage('/find', showFound)];

/** Rows of a page of one kind, and of each kind where all are shown; of files more, as most are tiles. */
const PAGE_SIZE = { rows: 25, tiles: 60 };
const GROUP_SIZE = { rows: 5, tiles: 12 };
const sizeOf = (kind: string, { rows, tiles }: typeof PAGE_SIZE): number =>
  isKind(kind) && ITEM_PAGES[kind].edit.hasFile ? tiles : rows;

async function showFound(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, query } = request;
  const filter = {
    search: listQuery(query).search,
    kind: choiceOf(query, 'kind', ['', ...FOUND_KINDS], ''),
    tag: cutText(query.text('tag') ?? '', 100),
  };
  const { search, kind, tag } = filter;
  const tags = await call.library.tags();
  if (search !== '' && kind === '' && tag === '')
    return page(
      <FoundPage site={site} groups={await groupsOf(request, search)} filter={filter} tags={tags} />,
    );
  const asked = { search, page: listQuery(query).page, size: sizeOf(kind, PAGE_SIZE) };
  const list =
    kind === 'collection' || kind === 'mail'
      ? await findOf(kind, request, asked)
      : await findItems(request, { ...asked, kind, tag });
  return page(<FindPage site={site} list={list} filter={filter} tags={tags} />);
}

async function groupsOf(request: PageRequest, search: string): Promise<FoundGroup[]> {
  const groups: FoundGroup[] = [];
  // One after the other: of searches at the same time, an account has only a few.
  for (const kind of FOUND_KINDS) {
    const list = await findOf(kind, request, { search, page: 0, size: sizeOf(kind, GROUP_SIZE) });
    const all = list.total > list.items.length ? listPath(FIND, { search, kind }) : null;
    if (list.items.length > 0) groups.push({ title: foundTitle(kind), list, all });
  }
  const settings = findSettings(request.site, search);
  if (settings.length > 0)
    groups.push({
      title: msg('Settings'),
      list: { items: settings, total: settings.length, page: 0, pageSize: settings.length },
      all: null,
    });
  return groups;
}
