import { pageNumber } from '../listing.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { requireViewer } from '../viewer.js';
import { datesBefore, rangeOf } from '../visits/range.js';
import { statisticsOf } from '../visits/statistics.js';
import { linkFilterOf, linksAsked } from './asked.js';
import { LinksPage } from './links-page.js';
import { LinkVisitsPage } from './visits-page.js';

/** How many links, and visits, a page lists. */
const LISTED = 25;
/** Tags that the filter offers. */
export const MAX_TAGS = 100;
/** The last page of them, counted from 0; an export has all. */
const MAX_PAGE = 1_000;

/** The links of a signed-in user, and the visits of a link. */
export const linkListPages = [
  getPage('/links', async (request) => {
    requireViewer(request);
    const { query, call, site } = request;
    const filter = linkFilterOf(query);
    const [list, tags] = await Promise.all([
      linksAsked(call, query, { page: pageNumber(query), pageSize: LISTED }),
      call.url.tags(),
    ]);
    const names = tags.slice(0, MAX_TAGS).map(({ tag }) => tag);
    return page(<LinksPage site={site} list={list} filter={filter} tags={names} />);
  }),
  getPage('/links/{link}', showVisits),
];

async function showVisits(request: PageRequest): Promise<PageAnswer> {
  const { site, call, params, query } = request;
  const uniqueId = params.link ?? '';
  const range = rangeOf(query);
  const at = Math.min(pageNumber(query), MAX_PAGE);
  const [link, visits, before, { logs }] = await Promise.all([
    call.url.get({ uniqueId }),
    call.stats.link({ uniqueId, fromDate: range.from, toDate: range.to }),
    call.stats.link({ uniqueId, ...datesBefore(range) }),
    call.url.logs({ uniqueId, page: at, pageSize: LISTED }),
  ]);
  const statistics = statisticsOf(request, range, visits);
  // The log may be shorter than the count, because old visits leave it.
  const total =
    logs.length < LISTED ? at * LISTED + logs.length : Math.min(link.visits, (MAX_PAGE + 1) * LISTED);
  const log = { items: logs, total, page: at, pageSize: LISTED };
  return page(
    <LinkVisitsPage site={site} link={link} statistics={statistics} peopleBefore={before.people} log={log} />,
  );
}
