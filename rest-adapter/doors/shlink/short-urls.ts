import type { Reply } from '../../reply/reply.js';
import { type Entrance, entrance, json } from '../door.js';
import {
  CODE,
  defaultHost,
  fieldsIn,
  hostIn,
  idIn,
  listed,
  orderOf,
  pageOf,
  ROOT,
  shortUrlOf,
  shortUrlsOf,
  writtenShortUrlOf,
} from './form.js';

/** Short URLs: lists, and one of them. */
export const shortUrls: readonly Entrance[] = [
  entrance('GET', `${ROOT}/short-urls`, {
    procedures: ['url.list', 'url.bots'],
    answer: async ({ call, wire: { query }, fields, settings }) => {
      const asked = pageOf(fields);
      const { items, total } = await call('url.list', {
        ...asked,
        search: query.filled('searchTerm'),
        tags: query.list('tags'),
        allTags: query.string('tagsMode').toLowerCase() === 'all',
        withoutTags: query.list('excludeTags'),
        withoutAllTags: query.string('excludeTagsMode').toLowerCase() === 'all',
        from: query.filled('startDate'),
        to: query.filled('endDate'),
        usable: query.boolean('excludeMaxVisitsReached'),
        lasting: query.boolean('excludePastValidUntil'),
        sort: orderOf(query.string('orderBy')),
        host: query.string('domain') === 'DEFAULT' ? defaultHost(settings) : query.filled('domain'),
      });
      return json({ shortUrls: listed(await shortUrlsOf({ call }, items), total, asked) });
    },
  }),
  entrance('POST', `${ROOT}/short-urls`, {
    procedures: ['url.create', 'url.bots'],
    answer: async ({ call, wire: { body } }) => {
      const link = await call('url.create', {
        ...fieldsIn(body),
        findIfExists: body.boolean('findIfExists'),
        url: body.string('longUrl'),
        uniqueId: body.filled('customSlug'),
        domain: hostIn(body),
        maxUses: body.number('maxVisits'),
        password: undefined,
        note: body.filled('title'),
        forwardQuery: body.boolean('forwardQuery') ?? true,
      });
      return json(await writtenShortUrlOf({ call }, link));
    },
  }),
  entrance('GET', CODE, {
    procedures: ['url.own', 'url.bots'],
    answer: async ({ call, wire }) => json(await shortUrlOf({ call }, await call('url.own', idIn(wire)))),
  }),
  entrance('PATCH', CODE, {
    procedures: ['url.change', 'url.own', 'url.bots'],
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
      return json(await writtenShortUrlOf({ call }, link));
    },
  }),
  entrance('DELETE', CODE, {
    procedures: ['url.delete'],
    answer: async ({ call, wire }): Promise<Reply> => {
      await call('url.delete', idIn(wire));
      return { as: 'empty', status: 204 };
    },
  }),
];
