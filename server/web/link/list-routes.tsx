import { speaking, t } from '../../../routers/language/speech.js';
import type { Point } from '../components/chart.js';
import { countryName } from '../format.js';
import { listQuery, pageNumber } from '../listing.js';
import { getPage, type PageAnswer, type PageRequest, page } from '../request.js';
import { requireViewer } from '../viewer.js';
import { LinksPage } from './links-page.js';
import { barsOf, rangeOf } from './visit-range.js';
import { LinkVisitsPage, type Trait } from './visits-page.js';

/** How many visits a page lists. */
const LISTED = 25;
/** The last page of them, counted from 0; an export has all. */
const MAX_PAGE = 1_000;

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

async function showVisits({ site, call, params, query }: PageRequest): Promise<PageAnswer> {
  const uniqueId = params.id ?? '';
  const range = rangeOf(query);
  const at = Math.min(pageNumber(query), MAX_PAGE);
  const [link, visits, { logs }] = await Promise.all([
    call.url.get({ uniqueId }),
    call.stats.link({ uniqueId, fromDate: range.from, toDate: range.to }),
    call.url.logs({ uniqueId, page: at, pageSize: LISTED }),
  ]);
  // Days and countries are words of the reader's language.
  const statistics = speaking(site.speech, () => ({
    range,
    people: visits.people,
    bots: visits.bots,
    bars: barsOf(range, visits.perDay),
    traits: traitsOf(visits),
  }));
  // The log may be shorter than the count, because old visits leave it.
  const total =
    logs.length < LISTED ? at * LISTED + logs.length : Math.min(link.visits, (MAX_PAGE + 1) * LISTED);
  const log = { items: logs, total, page: at, pageSize: LISTED };
  return page(<LinkVisitsPage site={site} link={link} statistics={statistics} log={log} />);
}

type Visits = Awaited<ReturnType<PageRequest['call']['stats']['link']>>;

/** Where visitors come from and what they use; countries only if they are known. */
function traitsOf({ referrers, countries, browsers, systems, botNames }: Visits): Trait[] {
  const known: Trait[] =
    countries.length === 0 ? [] : [[t('Countries'), named(countries, t('Unknown'), countryName)]];
  return [
    [t('Referrers'), named(referrers, t('Direct or from an app'))],
    ...known,
    [t('Browsers'), named(browsers, t('Unknown'))],
    [t('Operating systems'), named(systems, t('Unknown'))],
    [t('Bots'), named(botNames, t('Unknown'))],
  ];
}

interface Share {
  readonly name: string;
  readonly visits: number;
}

const named = (shares: readonly Share[], nameless: string, inWords = (name: string) => name): Point[] =>
  shares
    .slice(0, 8)
    .map(({ name, visits }) => ({ label: name === '' ? nameless : inWords(name), value: visits }));
