import { STATUS_CODES } from 'node:http';
import type { LinkRecord, toVisitRecord } from '../../routers/features/link/record.js';
import type { Fields } from '../fields.js';
import type { Reply } from '../reply/reply.js';
import { type Door, entrance, json, refuseForm, typed } from './door.js';

const ROOT = '/rest/v3';
const PER_PAGE = 20;
/** All at once, for clients that ask for page sizes of -1. */
const MAX_PER_PAGE = 1_000;

/** Visits as Shlink sums them up: the log does not say which were of bots. */
const summaryOf = (total: number) => ({ total, nonBots: total, bots: 0 });
/** Moments without milliseconds. */
const momentOf = (at: string | null): string | null => at?.replace(/\.\d+Z$/, '+00:00') ?? null;
/** A title is the first line of the note. */
const titleOf = ({ note }: LinkRecord): string | null => note?.split('\n')[0] || null;

const shortUrlOf = (link: LinkRecord) => ({
  ...{ shortCode: link.uniqueId, shortUrl: link.urlSet.shortUrl, longUrl: link.originalUrl },
  ...{ dateCreated: momentOf(link.createdAt), tags: link.tags, domain: null, title: titleOf(link) },
  meta: {
    validSince: momentOf(link.startsAt),
    validUntil: momentOf(link.expiresAt),
    maxVisits: link.maxUses < 0 ? null : link.maxUses,
  },
  ...{ crawlable: false, forwardQuery: link.forwardQuery, hasRedirectRules: link.rules.length > 0 },
  ...{ visitsSummary: summaryOf(link.visits), visitsCount: link.visits },
});

const visitOf = (visit: ReturnType<typeof toVisitRecord>) => ({
  ...{ referer: '', date: momentOf(visit.time), userAgent: visit.userAgent ?? '' },
  ...{ potentialBot: false, visitedUrl: null, redirectUrl: null },
  visitLocation:
    visit.country === null
      ? null
      : {
          ...{ countryCode: visit.country, countryName: visit.country, regionName: '', cityName: '' },
          ...{ latitude: 0, longitude: 0, timezone: '', isEmpty: false },
        },
});

/** The page that is asked for, from 0. */
function pageOf(fields: Fields) {
  const size = Math.trunc(Number(fields.text('itemsPerPage') ?? PER_PAGE)) || PER_PAGE;
  return {
    page: Math.max(0, (Math.trunc(Number(fields.text('page') ?? 1)) || 1) - 1),
    pageSize: size < 0 ? MAX_PER_PAGE : Math.min(size, MAX_PER_PAGE),
  };
}

/** A list with its page. */
const listed = <T>(data: readonly T[], total: number, { page, pageSize }: ReturnType<typeof pageOf>) => ({
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
function orderOf(given: string) {
  if (given === '') return 'newest';
  const [field = '', direction = 'ASC'] = given.split('-');
  const order = Object.entries(ORDERS).find(([name]) => name === field)?.[1];
  return (
    order?.[direction.toUpperCase() === 'DESC' ? 1 : 0] ?? refuseForm('orderBy: use a field of a short URL')
  );
}

/** The fields of a body that creating and changing share; absent ones are undefined, null clears. */
const fieldsIn = (body: Fields) => ({
  startsAt: body.raw('validSince') as string | null | undefined,
  expiresAt: body.raw('validUntil') as string | null | undefined,
  tags: body.list('tags'),
});

const problem = (status: number, type: string, detail: string, more: object = {}) =>
  typed(
    'application/problem+json',
    JSON.stringify({
      ...{ type: `https://shlink.io/api/error/${type}`, title: STATUS_CODES[status] ?? '', detail, status },
      ...more,
    }),
    status,
  );

const health = (path: string) =>
  entrance('GET', path, {
    procedures: ['site.alive'],
    open: true,
    answer: async () =>
      json({
        status: 'pass',
        version: '4.4.0',
        links: { about: 'https://shlink.io', project: 'https://github.com/shlinkio/shlink' },
      }),
  });

const CODE = `${ROOT}/short-urls/{shortCode+}`;
const idIn = ({ params }: { readonly params: Readonly<Record<string, string>> }) => ({
  uniqueId: params.shortCode ?? '',
});
const NO_REDIRECTS = { baseUrlRedirect: null, regular404Redirect: null, invalidShortUrlRedirect: null };

/** The REST API of Shlink, version 3. */
export const shlink: Door = {
  entrances: [
    ...['/rest/health', `${ROOT}/health`].map(health),
    entrance('GET', `${ROOT}/short-urls`, {
      procedures: ['url.list'],
      answer: async ({ call, wire: { query }, fields }) => {
        const asked = pageOf(fields);
        const { items, total } = await call('url.list', {
          ...asked,
          search: query.filled('searchTerm'),
          tags: query.list('tags'),
          allTags: query.string('tagsMode').toLowerCase() === 'all',
          from: query.filled('startDate'),
          to: query.filled('endDate'),
          usable: query.boolean('excludeMaxVisitsReached'),
          lasting: query.boolean('excludePastValidUntil'),
          sort: orderOf(query.string('orderBy')),
        });
        return json({ shortUrls: listed(items.map(shortUrlOf), total, asked) });
      },
    }),
    entrance('POST', `${ROOT}/short-urls`, {
      procedures: ['url.create'],
      answer: async ({ call, wire: { body } }) => {
        const link = await call('url.create', {
          ...fieldsIn(body),
          findIfExists: body.boolean('findIfExists'),
          url: body.string('longUrl'),
          uniqueId: body.filled('customSlug'),
          maxUses: body.number('maxVisits'),
          password: undefined,
          note: body.filled('title'),
          forwardQuery: body.boolean('forwardQuery') ?? true,
        });
        return json(shortUrlOf(link));
      },
    }),
    entrance('GET', `${CODE}/visits`, {
      procedures: ['url.own', 'url.logs'],
      answer: async ({ call, wire, fields }) => {
        const asked = pageOf(fields);
        const { visits } = await call('url.own', idIn(wire));
        const { logs } = await call('url.logs', { ...idIn(wire), ...asked });
        return json({ visits: listed(logs.map(visitOf), visits, asked) });
      },
    }),
    entrance('GET', `${CODE}/redirect-rules`, {
      procedures: ['url.own'],
      answer: async ({ call, wire }) => {
        const { originalUrl } = await call('url.own', idIn(wire));
        return json({ defaultLongUrl: originalUrl, redirectRules: [] });
      },
    }),
    entrance('POST', `${CODE}/redirect-rules`, {
      procedures: ['url.own'],
      answer: async ({ call, wire }) => {
        const { originalUrl } = await call('url.own', idIn(wire));
        const rules = wire.body.raw('redirectRules');
        if (!Array.isArray(rules) || rules.length > 0)
          return refuseForm(
            'redirectRules: rules are set on the page of the link or with PATCH /v1/url/get/{id}',
          );
        return json({ defaultLongUrl: originalUrl, redirectRules: [] });
      },
    }),
    entrance('GET', CODE, {
      procedures: ['url.own'],
      answer: async ({ call, wire }) => json(shortUrlOf(await call('url.own', idIn(wire)))),
    }),
    entrance('PATCH', CODE, {
      procedures: ['url.change', 'url.own'],
      answer: async ({ call, wire }) => {
        const { body } = wire;
        const title = body.raw('title') as string | null | undefined;
        const rest =
          title === undefined ? [] : ((await call('url.own', idIn(wire))).note ?? '').split('\n').slice(1);
        const link = await call('url.change', {
          ...idIn(wire),
          ...fieldsIn(body),
          newId: undefined,
          ifMatch: undefined,
          url: body.filled('longUrl'),
          maxUses: body.raw('maxVisits') as number | null | undefined,
          forwardQuery: body.boolean('forwardQuery'),
          ...(title === undefined ? {} : { note: [title ?? '', ...rest].join('\n') }),
        });
        return json(shortUrlOf(link));
      },
    }),
    entrance('DELETE', CODE, {
      procedures: ['url.delete'],
      answer: async ({ call, wire }): Promise<Reply> => {
        await call('url.delete', idIn(wire));
        return { as: 'empty', status: 204 };
      },
    }),
    entrance('GET', `${ROOT}/visits`, {
      procedures: ['url.totals'],
      answer: async ({ call }) => {
        const { visits } = await call('url.totals', undefined);
        return json({
          visits: {
            ...{ nonOrphanVisits: summaryOf(visits), orphanVisits: summaryOf(0) },
            ...{ visitsCount: visits, orphanVisitsCount: 0 },
          },
        });
      },
    }),
    entrance('GET', `${ROOT}/visits/orphan`, {
      procedures: ['url.totals'],
      answer: async ({ call, fields }) => {
        await call('url.totals', undefined);
        return json({ visits: listed([], 0, pageOf(fields)) });
      },
    }),
    entrance('GET', `${ROOT}/tags`, {
      procedures: ['url.tags'],
      answer: async ({ call, fields }) => {
        const tags = await call('url.tags', undefined);
        const search = fields.string('searchTerm').toLowerCase();
        const found = tags.map(({ tag }) => tag).filter((tag) => tag.toLowerCase().includes(search));
        return json({ tags: listed(found, found.length, { page: 0, pageSize: Math.max(1, found.length) }) });
      },
    }),
    entrance('GET', `${ROOT}/tags/stats`, {
      procedures: ['url.tags'],
      answer: async ({ call }) => {
        const tags = await call('url.tags', undefined);
        const data = tags.map(({ tag, links, visits }) => ({
          ...{ tag, shortUrlsCount: links, visitsSummary: summaryOf(visits), visitsCount: visits },
        }));
        return json({ tags: listed(data, data.length, { page: 0, pageSize: Math.max(1, data.length) }) });
      },
    }),
    entrance('GET', `${ROOT}/domains`, {
      procedures: ['url.totals'],
      answer: async ({ call, settings }) => {
        await call('url.totals', undefined);
        const domain = new URL(settings.shortUrls.url ?? settings.origin).host;
        const data = [{ domain, isDefault: true, redirects: NO_REDIRECTS }];
        return json({ domains: { data, defaultRedirects: NO_REDIRECTS } });
      },
    }),
    entrance('GET', `${ROOT}/mercure-info`, {
      procedures: ['url.totals'],
      answer: async ({ call }) => {
        await call('url.totals', undefined);
        return problem(501, 'mercure-not-configured', 'This server does not tell of visits by Mercure.');
      },
    }),
  ],
  refuse: ({ status, reason, message }, { fields }) => {
    if (status === 401) return problem(401, 'invalid-api-key', message);
    if (reason === 'ID_TAKEN')
      return problem(400, 'non-unique-slug', message, { customSlug: fields.string('customSlug') });
    if (status === 404) return problem(404, 'short-url-not-found', message);
    return problem(status, status === 400 ? 'invalid-data' : 'refused', message);
  },
};
