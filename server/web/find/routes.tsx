import { KINDS } from '../../../routers/base/kinds.js';
import { cutText } from '../../../routers/base/text/cut.js';
import { choiceOf, listQuery } from '../listing.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { requireViewer } from '../viewer.js';
import { FindPage } from './find-page.js';

/** The search through everything that the viewer owns, and the items of a tag. */
export const findPages = [getPage('/find', showFound)];

async function showFound(request: PageRequest): Promise<PageAnswer> {
  requireViewer(request);
  const { site, call, query } = request;
  const filter = {
    search: listQuery(query).search,
    kind: choiceOf(query, 'kind', ['', ...KINDS], ''),
    tag: cutText(query.text('tag') ?? '', 100),
  };
  const [list, tags] = await Promise.all([
    call.library.items({ ...filter, page: listQuery(query).page }),
    call.library.tags(),
  ]);
  return page(<FindPage site={site} list={list} filter={filter} tags={tags} />);
}
