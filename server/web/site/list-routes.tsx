import type { Point } from '../components/chart.js';
import { LinksPage, LinkVisitsPage } from '../link/links.js';
import { pageNumber, requireViewer, searchOf } from '../listing.js';
import { PastesPage } from '../paste/pastes.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { OverviewPage } from './home.js';

const dayMs = 24 * 3600 * 1000;
const days = 30;
/** How many visits a page lists; the API returns more of them. */
const shownVisits = 100;

/** The pastes and links of a signed-in user, and the visits of a link. */
export const listPages = [
  getPage('/pastes', async (request) => {
    requireViewer(request);
    const search = searchOf(request.query);
    const list = await request.call.library.pastes({ search, page: pageNumber(request.query) });
    return page(<PastesPage site={request.site} list={list} search={search} />);
  }),
  getPage('/links', async (request) => {
    requireViewer(request);
    const search = searchOf(request.query);
    const list = await request.call.library.urls({ search, page: pageNumber(request.query) });
    return page(<LinksPage site={request.site} list={list} search={search} />);
  }),
  getPage('/links/{id}', showVisits),
];

/** The start page for signed-in users. */
export async function showOverview({ site, call }: PageRequest): Promise<PageAnswer> {
  const [user, recent, { stats }] = await Promise.all([
    call.user.me(),
    call.library.images({ pageSize: 8 }),
    call.stats.all({ fromDate: daysAgo(days - 1), fillMissing: true }),
  ]);
  const made = stats.imagesPerDay.map(({ first, second }, index) => ({
    first,
    second: second + (stats.pastesPerDay[index]?.second ?? 0) + (stats.urlsPerDay[index]?.second ?? 0),
  }));
  return page(<OverviewPage site={site} user={user} recent={recent.items} days={made} />);
}

async function showVisits({ site, call, params }: PageRequest): Promise<PageAnswer> {
  const uniqueId = params.id ?? '';
  const [link, visits, { logs }] = await Promise.all([
    call.url.get({ uniqueId }),
    call.stats.link({ uniqueId, fromDate: daysAgo(days - 1) }),
    call.url.logs({ uniqueId, pageSize: shownVisits }),
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
  return Array.from({ length: days }, (_, index) => {
    const label = daysAgo(days - 1 - index);
    return { label, value: byDay.get(label) ?? 0 };
  });
}

const daysAgo = (count: number): string => new Date(Date.now() - count * dayMs).toISOString().slice(0, 10);
