import { type Entrance, entrance, json, type Visit } from '../door.js';
import { CODE, defaultHost, idIn, listed, pageOf, ROOT, summaryOf, visitOf } from './form.js';

/** The visits in a span. */
async function visitsOf(
  { call, fields }: Visit<'url.visits'>,
  of: { readonly uniqueId?: string; readonly host?: string | undefined; readonly tag?: string },
) {
  const asked = pageOf(fields);
  const span = { from: fields.filled('startDate'), to: fields.filled('endDate') };
  const people = fields.boolean('excludeBots');
  const { items, total } = await call('url.visits', { ...of, ...span, ...asked, people });
  return json({ visits: listed(items.map(visitOf), total, asked) });
}

/** The visits of links. There are none of anything else. */
export const visits: readonly Entrance[] = [
  entrance('GET', `${CODE}/visits`, {
    procedures: ['url.visits'],
    answer: (visit) => visitsOf(visit, idIn(visit.wire)),
  }),
  entrance('DELETE', `${CODE}/visits`, {
    procedures: ['url.forgetVisits'],
    answer: async ({ call, wire }) => {
      const { forgotten } = await call('url.forgetVisits', idIn(wire));
      return json({ deletedVisits: forgotten });
    },
  }),
  entrance('GET', `${ROOT}/tags/{tag}/visits`, {
    procedures: ['url.visits'],
    answer: (visit) => visitsOf(visit, { tag: visit.wire.params.tag ?? '' }),
  }),
  entrance('GET', `${ROOT}/domains/{domain}/visits`, {
    procedures: ['url.visits'],
    answer: (visit) => {
      const { domain = '' } = visit.wire.params;
      return visitsOf(visit, { host: domain === 'DEFAULT' ? defaultHost(visit.settings) : domain });
    },
  }),
  entrance('GET', `${ROOT}/visits/non-orphan`, {
    procedures: ['url.visits'],
    answer: (visit) => visitsOf(visit, {}),
  }),
  entrance('GET', `${ROOT}/visits/orphan`, {
    procedures: ['url.totals'],
    answer: async ({ call, fields }) => {
      await call('url.totals', undefined);
      return json({ visits: listed([], 0, pageOf(fields)) });
    },
  }),
  entrance('DELETE', `${ROOT}/visits/orphan`, {
    procedures: ['url.totals'],
    answer: async ({ call }) => {
      await call('url.totals', undefined);
      return json({ deletedVisits: 0 });
    },
  }),
  entrance('GET', `${ROOT}/visits`, {
    procedures: ['url.totals'],
    answer: async ({ call }) => {
      const { visits: total, bots } = await call('url.totals', undefined);
      return json({
        visits: {
          ...{ nonOrphanVisits: summaryOf(total, bots), orphanVisits: summaryOf(0, 0) },
          ...{ visitsCount: total, orphanVisitsCount: 0 },
        },
      });
    },
  }),
];
