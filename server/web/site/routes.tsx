import { isPrefetch } from '../../../rest-adapter/wire.js';
import { fail } from '../../../routers/base/errors.js';
import { isKind, KIND_NAMES, KINDS, type Kind } from '../../../routers/base/kinds.js';
import { safeNext } from '../../../routers/base/local-path.js';
import { percentDecoded } from '../../../routers/base/text/percent.js';
import { showCollection } from '../collection/opened-routes.js';
import { daysAgo } from '../format.js';
import { ITEM_PAGES } from '../items.js';
import { reasonOf } from '../refusal.js';
import { remember } from '../remember.js';
import {
  getForBrowsers,
  getPage,
  goTo,
  type PageAnswer,
  type PageRequest,
  page,
  postForm,
} from '../request.js';
import { administers } from '../site.js';
import { ErrorPage } from './error-page.js';
import { STEPS_COOKIE, stepsFor } from './first-steps.js';
import { OverviewPage, WelcomePage } from './home-page.js';
import { type OEmbed, sealedOEmbed, wordsOEmbed } from './oembed.js';

/** How many days the overview shows. */
const SHOWN_DAYS = 30;

/** The start page, items of any kind, and pages for no kind in particular. */
export const sitePages = [
  getForBrowsers(['/', '/v1'], async (request) =>
    request.site.viewer === null ? page(<WelcomePage site={request.site} />) : showOverview(request),
  ),
  getPage('', async () => goTo('/')),
  getForBrowsers(['/r/{*link}'], follow),
  getPage('/site/render/{id}', showAny, true),
  postForm('/theme', chooseTheme),
  postForm('/first-steps', dismissSteps),
  getPage('/oembed', oEmbed),
  ...[400, 404, 500].map((status) =>
    getPage(`/error${status}`, async ({ site }) => page(<ErrorPage site={site} status={status} />)),
  ),
];

/** How many people who wait to be let in it names. */
const MAX_WAITING = 5;

/** The start page for signed-in users. */
async function showOverview(request: PageRequest): Promise<PageAnswer> {
  const { site, call } = request;
  const fromDate = daysAgo(SHOWN_DAYS - 1);
  const [user, recent, opened, limits, { stats }] = await Promise.all([
    call.user.me(),
    call.library.images({ pageSize: 8 }),
    call.stats.opened({ fromDate, limit: 5 }),
    call.limits.mine(),
    call.stats.all({ fromDate, fillMissing: true }),
  ]);
  const series = KINDS.map((kind) => stats[`${KIND_NAMES[kind].plural}PerDay`]);
  const made = stats.imagesPerDay.map(({ first }, index) => ({
    first,
    second: series.reduce((sum, days) => sum + (days[index]?.second ?? 0), 0),
  }));
  const steps = await stepsFor(request, user);
  const statuses = administers(site.viewer) ? (['WAITING', 'PENDING'] as const) : [];
  const lists = await Promise.all(
    statuses.map((status) => call.admin.users({ status, page: 0, size: MAX_WAITING })),
  );
  const waiting = lists.flatMap(({ content }) => content).slice(0, MAX_WAITING);
  const shown = { user, recent: recent.items, opened, days: made, limits, steps, waiting };
  return page(<OverviewPage site={site} {...shown} />);
}

/** Shows the item with this ID, whatever its kind. */
async function showAny(request: PageRequest): Promise<PageAnswer> {
  const uniqueId = request.params.id ?? '';
  const kind = await kindOf(request, uniqueId);
  return kind === null ? showCollection(request, uniqueId) : ITEM_PAGES[kind].show(request, uniqueId);
}

/** The kind of the item that the short link with this ID means; null if there is none. */
async function kindOf({ call }: PageRequest, uniqueId: string): Promise<Kind | null> {
  try {
    return (await call.site.resolve({ uniqueId })).kind;
  } catch (error) {
    if (reasonOf(error) === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Follows a short link like the API does, but shows an error page if it leads nowhere. */
async function follow({ call, method, params, header, query, search }: PageRequest): Promise<PageAnswer> {
  const { location, permanent } = await call.site.follow({
    uniqueId: params.link ?? '',
    host: header('host'),
    password: query.text('password'),
    head: method === 'HEAD',
    prefersPage: true,
    referrer: header('referer'),
    prefetch: isPrefetch(header),
    query: search,
    language: header('accept-language'),
  });
  return { as: 'redirect', status: permanent ? 301 : 302, location };
}

async function chooseTheme(request: PageRequest): Promise<PageAnswer> {
  const { body } = request;
  const theme = body.text('theme');
  remember(request, 'theme', theme === 'light' || theme === 'dark' ? theme : null);
  return goTo(safeNext(body.string('next')));
}

async function dismissSteps(request: PageRequest): Promise<PageAnswer> {
  remember(request, STEPS_COOKIE, 'dismissed');
  return goTo('/');
}

/** The path in the address of a page with an oEmbed answer, which may go on with a slash, a query or a fragment. */
const PAGE = new RegExp(`/web/(?:(${KINDS.join('|')})-render|playlist|collection)/([^?#]+?)/?(?:[?#]|$)`);

/** The oEmbed JSON of a page (https://oembed.com); 404 for items that are not public, 501 for other formats. */
async function oEmbed(request: PageRequest): Promise<PageAnswer> {
  if (!['', 'json'].includes(request.query.string('format')))
    return { as: 'json', status: 501, body: { error: 'Only format=json is available' } };
  const [, kind, named = ''] = PAGE.exec(request.query.text('url') ?? '') ?? fail('NOT_FOUND');
  const uniqueId = percentDecoded(named).toString();
  const answer = isKind(kind)
    ? await ITEM_PAGES[kind].embed(request, uniqueId)
    : await embedCollection(request, uniqueId);
  return { as: 'json', status: 200, body: answer ?? fail('NOT_FOUND') };
}

async function embedCollection({ call, site }: PageRequest, uniqueId: string): Promise<OEmbed> {
  const { title, owner, sealed } = await call.collection.title({ uniqueId });
  if (sealed) return sealedOEmbed(site);
  return wordsOEmbed(title, owner.username, site);
}
