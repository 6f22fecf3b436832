import { z } from 'zod';
import { visitRecord } from '../../routers/link/record.js';
import { visit } from '../../routers/link/visit.js';
import { done, message, record, redirect } from '../reply/reply.js';
import { route } from '../route.js';
import { isPrefetch, itemOf, itemWithPassword, passwordOf, prefersPage } from '../wire.js';
import { ALSO_LINK, created } from './created.js';

/** Short URLs. */
export const linkRoutes = [
  route('POST', '/url/create', {
    procedure: 'url.create',
    summary: 'Create a short link',
    errors: [400, 401, 403, 429],
    read: ({ body }) => ({
      url: body.required('url'),
      uniqueId: body.text('uniqueId'),
      maxUses: body.number('maxUses'),
      expiresAt: body.text('expiresAt', 'expiryDate'),
      password: body.text('password'),
    }),
    responds: ALSO_LINK,
    reply: created,
  }),
  route('GET', '/url/get/{uniqueId}', {
    procedure: 'url.get',
    summary: 'A short URL; does not count a visit',
    errors: [403, 404],
    read: (wire) => ({
      ...itemWithPassword(wire),
      logs: wire.query.boolean('logs'),
    }),
    reply: (url) => record(url),
  }),
  route('GET', '/url/get/{uniqueId}/logs', {
    procedure: 'url.logs',
    summary: 'The visits of a short URL, newest first',
    errors: [400, 401, 404],
    read: (wire) => ({
      ...itemOf(wire),
      page: wire.query.number('page'),
      pageSize: wire.query.number('size', 'pageSize'),
    }),
    message: z.array(visitRecord),
    reply: ({ uniqueId, logs }) => message(logs, { uniqueId }),
  }),
  route('DELETE', '/url/get/{uniqueId}', {
    procedure: 'url.delete',
    summary: 'Delete a short URL',
    errors: [401, 404],
    read: itemOf,
    reply: done,
  }),
  route('GET', '/url/r/{uniqueId}', {
    procedure: 'url.visit',
    summary: 'Follow a short URL; counts one visit',
    responds: { kind: 'redirect', status: 301 },
    shown: true,
    errors: [302, 403, 404],
    // Without a spread, as for images: this runs for every visit.
    read: (wire) => ({
      uniqueId: wire.params.uniqueId ?? '',
      password: passwordOf(wire),
      head: wire.method === 'HEAD',
      prefersPage: prefersPage(wire),
      referrer: wire.header('referer'),
      prefetch: isPrefetch(wire.header),
    }),
    reply: (visited) => redirect(visited.location, visited.permanent ? 301 : 302),
    hot: visit,
  }),
];
