import { z } from 'zod';
import { exportedDay, ownStats } from '../../routers/stats/own.js';
import type { Fields } from '../fields.js';
import { message, text } from '../reply/reply.js';
import { route } from '../route.js';
import { itemOf } from '../wire.js';

const span = (fields: Fields) => ({ fromDate: fields.text('fromDate'), toDate: fields.text('toDate') });

const FILE = 'holdall-statistics';

/** Statistics. */
export const statsRoutes = [
  route('POST', '/stats/all', {
    procedure: 'stats.all',
    summary: 'What the caller has created, by UTC day; the last seven days by default',
    errors: [400, 401, 403],
    read: ({ query, body }) => {
      const fields = query.over(body);
      return { ...span(fields), fillMissing: fields.boolean('fillMissing'), limit: fields.number('limit') };
    },
    message: ownStats,
    reply: ({ uid, stats }) => message(stats, { uniqueId: String(uid) }),
  }),
  route('POST', '/stats/get', {
    procedure: 'stats.get',
    summary: 'What all users together have created, in a preset period or between dates',
    errors: [400, 401, 403, 503],
    read: ({ query, body }) => {
      const fields = query.over(body);
      return { ...span(fields), preset: fields.text('preset') };
    },
    reply: (stats) => message(stats),
  }),
  route('GET', '/stats/export', {
    procedure: 'stats.export',
    summary: 'What the caller has created, by UTC day, as CSV or JSON',
    errors: [400, 401, 403],
    read: ({ query }) => ({ ...span(query), format: query.text('format') }),
    responds: { types: ['text/csv'] },
    message: z.array(exportedDay),
    reply: ({ days, csv }) =>
      csv === null
        ? message(days, { headers: { 'content-disposition': `attachment; filename="${FILE}.json"` } })
        : text(csv, {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="${FILE}.csv"`,
          }),
  }),
  route('GET', '/url/get/{uniqueId}/stats', {
    procedure: 'stats.link',
    summary: 'The visits of a short URL by day, referrer, browser and system',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...span(wire.query), ...itemOf(wire) }),
    reply: (stats) => message(stats, { uniqueId: stats.uniqueId }),
  }),
];
