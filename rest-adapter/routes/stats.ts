import { z } from 'zod';
import { exportedViews } from '../../routers/features/stats/item.js';
import { exportedSum } from '../../routers/features/stats/links.js';
import { exportedDay, ownStats } from '../../routers/features/stats/own.js';
import type { Fields } from '../fields.js';
import { linesReply, message, text } from '../reply/reply.js';
import { route } from '../route.js';
import { itemOf } from '../wire.js';

const span = (fields: Fields) => ({ fromDate: fields.text('fromDate'), toDate: fields.text('toDate') });

const summed = (query: Fields) => ({
  from: query.text('from'),
  to: query.text('to'),
  tag: query.filled('tag'),
  domain: query.filled('domain'),
});

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
    read: (wire) => ({ ...span(wire.query), ...itemOf(wire), host: wire.query.filled('domain') }),
    reply: (stats) => message(stats, { uniqueId: stats.uniqueId }),
  }),
  route('GET', '/stats/links', {
    procedure: 'stats.links',
    summary:
      'The visits of the own links together, by variant, tag and host; only those with a tag, or on a host',
    errors: [400, 401, 403],
    read: ({ query }) => summed(query),
  }),
  route('GET', '/stats/links/export', {
    procedure: 'stats.exportLinks',
    summary: 'The same as a list, as CSV or JSON',
    errors: [400, 401, 403],
    read: ({ query }) => ({ ...summed(query), format: query.text('format') }),
    responds: { types: ['text/csv'] },
    message: z.array(exportedSum),
    reply: linesReply as never,
  }),
  route('GET', '/stats/opened', {
    procedure: 'stats.opened',
    summary: 'How often what the caller has was opened, by UTC day, and the most visited of it',
    errors: [400, 401, 403],
    read: ({ query }) => ({ ...span(query), limit: query.number('limit') }),
  }),
  route('GET', '/stats/image/{uniqueId}', {
    procedure: 'stats.image',
    summary: 'The views of a file by day, referrer, browser and system',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...span(wire.query), ...itemOf(wire) }),
    reply: (stats) => message(stats, { uniqueId: stats.uniqueId }),
  }),
  route('GET', '/stats/paste/{uniqueId}', {
    procedure: 'stats.paste',
    summary: 'The views of a paste by day, referrer, browser and system',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...span(wire.query), ...itemOf(wire) }),
    reply: (stats) => message(stats, { uniqueId: stats.uniqueId }),
  }),
  route('GET', '/stats/image/{uniqueId}/export', {
    procedure: 'stats.exportImage',
    summary: 'Every day on which a file was viewed, as CSV or JSON',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...itemOf(wire), format: wire.query.text('format') }),
    responds: { types: ['text/csv'] },
    message: z.array(exportedViews),
    reply: linesReply as never,
  }),
  route('GET', '/stats/paste/{uniqueId}/export', {
    procedure: 'stats.exportPaste',
    summary: 'Every day on which a paste was viewed, as CSV or JSON',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...itemOf(wire), format: wire.query.text('format') }),
    responds: { types: ['text/csv'] },
    message: z.array(exportedViews),
    reply: linesReply as never,
  }),
];
