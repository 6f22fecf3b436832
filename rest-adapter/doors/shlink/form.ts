import { STATUS_CODES } from 'node:http';
import { DomainError } from '../../../routers/base/errors.js';
import type { Settings } from '../../../routers/core/settings.js';
import type { LinkRecord } from '../../../routers/features/link/record.js';
import type { Fields } from '../../fields.js';
import type { OutputOf } from '../../route.js';
import type { Wire } from '../../wire.js';
import { titleIn } from '../address.js';
import { refuseForm, typed, type Visit, wholeOr } from '../door.js';

/** Where all paths but one begin. */
export const ROOT = '/rest/v3';
const PER_PAGE = 20;
/** All at once, for clients that ask for page sizes of -1. */
const MAX_PER_PAGE = 1_000;

/** Visits as Shlink sums them up. */
export const summaryOf = (total: number, bots: number) => ({
  ...{ total, nonBots: Math.max(0, total - bots), bots: Math.min(total, bots) },
});
/** Moments without milliseconds. */
const momentOf = (at: string | null): string | null => at?.replace(/\.\d+Z$/, '+00:00') ?? null;
/** A title is the first line of the note. */
const titleOf = ({ note }: LinkRecord): string | null => titleIn(note).title;

/** Links as short URLs. */
export async function shortUrlsOf(
  { call }: Pick<Visit<'url.bots'>, 'call'>,
  links: readonly LinkRecord[],
): Promise<readonly ReturnType<typeof withBots>[]> {
  const { visits } = await call('url.bots', { fullIds: links.map(({ fullId }) => fullId) });
  return links.map((link, at) => withBots(link, visits[at] ?? 0));
}

/** A link as a short URL. */
export const shortUrlOf = async (asked: Pick<Visit<'url.bots'>, 'call'>, link: LinkRecord) =>
  (await shortUrlsOf(asked, [link]))[0];

/** As `shortUrlOf` for keys that may read nothing, to which it does not tell bots apart. */
export const writtenShortUrlOf = (asked: Pick<Visit<'url.bots'>, 'call'>, link: LinkRecord) =>
  shortUrlOf(asked, link).catch((error: unknown) => {
    if (error instanceof DomainError) return withBots(link, 0);
    throw error;
  });

const withBots = (link: LinkRecord, bots: number) => ({
  ...{ shortCode: link.uniqueId, shortUrl: link.urlSet.shortUrl, longUrl: link.originalUrl },
  ...{ dateCreated: momentOf(link.createdAt), tags: link.tags, domain: link.domain, title: titleOf(link) },
  meta: {
    validSince: momentOf(link.startsAt),
    validUntil: momentOf(link.expiresAt),
    maxVisits: link.maxUses < 0 ? null : link.maxUses,
  },
  ...{ crawlable: false, forwardQuery: link.forwardQuery, hasRedirectRules: link.rules.length > 0 },
  ...{ visitsSummary: summaryOf(link.visits, bots), visitsCount: link.visits },
});

/** A visit, and where it began. */
export const visitOf = (visit: OutputOf<'url.visits'>['items'][number]) => ({
  ...{ referer: visit.referrer ?? '', date: momentOf(visit.time), userAgent: visit.userAgent ?? '' },
  ...{ potentialBot: visit.bot, visitedUrl: null, redirectUrl: null },
  visitLocation:
    visit.country === null
      ? null
      : {
          ...{ countryCode: visit.country, countryName: visit.country, regionName: '', cityName: '' },
          ...{ latitude: 0, longitude: 0, timezone: '', isEmpty: false },
        },
});

/** The page that is asked for, from 0. */
export function pageOf(fields: Fields) {
  const size = wholeOr(fields.text('itemsPerPage'), PER_PAGE);
  return {
    page: Math.max(0, wholeOr(fields.text('page'), 1) - 1),
    pageSize: size < 0 ? MAX_PER_PAGE : Math.min(size, MAX_PER_PAGE),
  };
}

/** A list with its page. */
export const listed = <T>(
  data: readonly T[],
  total: number,
  { page, pageSize }: ReturnType<typeof pageOf>,
) => ({
  data,
  pagination: {
    ...{
      currentPage: page + 1,
      pagesCount: Math.max(1, Math.ceil(total / pageSize)),
      itemsPerPage: pageSize,
    },
    ...{ itemsInCurrentPage: data.length, totalItems: total },
  },
});

const ORDERS = {
  dateCreated: ['oldest', 'newest'],
  shortCode: ['id', 'idDown'],
  longUrl: ['name', 'nameDown'],
  title: ['name', 'nameDown'],
  visits: ['viewsUp', 'views'],
  nonBotVisits: ['viewsUp', 'views'],
} as const;

/** `field`, or `field-ASC` and `field-DESC`. */
export function orderOf(given: string) {
  if (given === '') return 'newest';
  const [field = '', direction = 'ASC'] = given.split('-');
  const order = Object.entries(ORDERS).find(([name]) => name === field)?.[1];
  return (
    order?.[direction.toUpperCase() === 'DESC' ? 1 : 0] ?? refuseForm('orderBy: use a field of a short URL')
  );
}

/** The fields of a body that creating and changing share; absent ones are undefined, null clears. */
export const fieldsIn = (body: Fields) => ({
  startsAt: body.raw('validSince') as string | null | undefined,
  expiresAt: body.raw('validUntil') as string | null | undefined,
  tags: body.list('tags'),
});

/** A refusal as Shlink writes it. */
export const problem = (status: number, type: string, detail: string, more: object = {}) =>
  typed(
    'application/problem+json',
    JSON.stringify({
      ...{ type: `https://shlink.io/api/error/${type}`, title: STATUS_CODES[status] ?? '', detail, status },
      ...more,
    }),
    status,
  );

/** The host that short URLs have unless they have one of their own. */
export const defaultHost = ({ shortUrls, origin }: Settings): string => new URL(shortUrls.url ?? origin).host;

/** The host that a request means; undefined for the default one. */
export const hostIn = (fields: Fields): string | undefined => {
  const host = fields.filled('domain');
  return host === undefined || host === 'DEFAULT' ? undefined : host;
};

/** Where a short URL is: its code may have slashes. */
export const CODE = `${ROOT}/short-urls/{shortCode+}`;

/** The id in a path, and its host in the query. */
export const idIn = ({ params, query }: Pick<Wire, 'params' | 'query'>) => ({
  ...{ uniqueId: params.shortCode ?? '', host: hostIn(query) },
});
