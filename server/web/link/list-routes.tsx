import type { Point } from '../components/chart.js';
import { daysAgo } from '../format.js';
import { listQuery } from '../listing.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { requireViewer } from '../viewer.js';
import { LinksPage } from './links-page.js';
import { LinkVisitsPage } from './visits-page.js';

const DAYS = 30;
/** How many visits a page lists; the API returns more of them. */
const MAX_VISITS = 100;

/** The links of a signed-in user, and the visits of a link. */
export const linkListPages = [
  getPage('/links', async (request) => {
    requireViewer(request);
    const asked = listQuery(request.query);
    const list = await request.call.library.urls(asked);
    return page(<LinksPage site={request.site} list={list} search={asked.search} />);
  }),
  getPage('/links/{id}', showVisits),
];

async function showVisits({ site, call, params }: PageRequest): Promise<PageAnswer> {
  const uniqueId = params.id ?? '';
  const [link, visits, { logs }] = await Promise.all([
    call.url.get({ uniqueId }),
    call.stats.link({ uniqueId, fromDate: daysAgo(DAYS - 1) }),
    call.url.logs({ uniqueId, pageSize: MAX_VISITS }),
  ]);
  const statistics = {
    days: everyDay(visits.perDay),
    referrers: named(visits.referrers, 'Direct or from an app'),
    browsers: named(visits.browsers, 'Unknown'),
    systems: named(visits.systems, 'Unknown'),
    bots: visits.bots,
  };
  return page(<LinkVisitsPage site={site} link={link} statistics={statistics} logs={logs} />);
}

const named = (
  shares: readonly { readonly name: string; readonly visits: number }[],
  nameless: string,
): Point[] =>
  shares.slice(0, 8).map(({ name, visits }) => ({ label: name === '' ? nameless : name, value: visits }));

/** One value for each of the last days; 0 for a day without visits. */
function everyDay(counted: readonly { readonly first: string; readonly second: number }[]): Point[] {
  const byDay = new Map(counted.map(({ first, second }) => [first, second]));
  return Array.from({ length: DAYS }, (_, index) => {
    const label = daysAgo(DAYS - 1 - index);
    return { label, value: byDay.get(label) ?? 0 };
  });
}
