import type { Reply } from '../../reply/reply.js';
import { type Entrance, entrance, json } from '../door.js';
import { CODE, fieldsIn, idIn, listed, orderOf, pageOf, ROOT, shortUrlOf } from './form.js';

/** Short URLs: lists, and one of them. */
export const shortUrls: readonly Entrance[] = [
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
        domain: body.filled('domain'),
        maxUses: body.number('maxVisits'),
        password: undefined,
        note: body.filled('title'),
        forwardQuery: body.boolean('forwardQuery') ?? true,
      });
      return json(shortUrlOf(link));
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
];
