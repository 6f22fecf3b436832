import { z } from 'zod';
import { fail } from '../../routers/base/errors.js';
import { exportedVisit } from '../../routers/features/link/export.js';
import { exportedRecord, visitRecord } from '../../routers/features/link/record.js';
import { presetRecord } from '../../routers/features/link/utm.js';
import type { Fields } from '../fields.js';
import { done, itemRecord, linesReply, message, pictureReply, redirect, text } from '../reply/reply.js';
import { route } from '../route.js';
import {
  changedFieldsOf,
  changedItemOf,
  deletedItemOf,
  isPrefetch,
  itemOf,
  itemWithPassword,
  passwordOf,
  prefersPage,
  type Wire,
} from '../wire.js';
import { ALSO_LINK, created } from './created.js';

/** The fields of a link that previews, visits and lists use. */
const extrasOf = (body: Fields) => ({
  forwardQuery: body.boolean('forwardQuery'),
  note: body.text('note'),
  preview: body.raw('preview'),
  rules: body.raw('rules'),
  split: body.raw('split'),
  fallbackUrl: body.raw('fallbackUrl') as never,
  startsAt: body.raw('startsAt') as never,
  forwardPath: body.boolean('forwardPath'),
});

/** The host of the link in the path. */
const hostOf = ({ query }: Wire) => ({ host: query.filled('domain') });

/** The preset in the path. */
const presetIn = ({ params }: Wire) => ({ name: params.name ?? '' });

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
      private: body.boolean('private'),
      notify: body.text('notify'),
      tags: body.list('tags'),
      utm: body.filled('utm'),
      findIfExists: body.boolean('findIfExists'),
      domain: body.text('domain'),
      ...extrasOf(body),
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
      ...hostOf(wire),
      logs: wire.query.boolean('logs'),
    }),
    reply: (url) => itemRecord('url', url),
  }),
  route('PATCH', '/url/get/{uniqueId}', {
    procedure: 'url.change',
    summary: 'Change a short link; absent fields stay, null and "" clear',
    errors: [400, 401, 403, 404, 412, 429],
    read: (wire) => ({
      ...changedItemOf(wire),
      ...hostOf(wire),
      domain: wire.body.raw('domain') as never,
      ...changedFieldsOf(wire),
      url: wire.body.text('url'),
      maxUses: wire.body.cleared((fields) => fields.number('maxUses'), 'maxUses'),
      ...extrasOf(wire.body),
    }),
    reply: (url) => itemRecord('url', url),
  }),
  route('POST', '/url/get/{uniqueId}/check', {
    procedure: 'url.check',
    summary: 'Look at the targets of a short link now; they are looked at once a week anyway',
    errors: [400, 401, 403, 404, 409, 429, 503],
    read: (wire) => ({ ...itemOf(wire), ...hostOf(wire) }),
    reply: (url) => itemRecord('url', url),
  }),
  route('GET', '/url/export', {
    procedure: 'url.export',
    summary: 'The own links with their counts, as CSV or JSON',
    errors: [400, 401, 403],
    read: ({ query }) => ({ format: query.text('format') }),
    responds: { types: ['text/csv'] },
    message: z.array(exportedRecord),
    reply: linesReply as never,
  }),
  route('POST', '/url/import', {
    procedure: 'url.import',
    summary: 'Store links from CSV or JSON, all of them or none; with dryRun=true only check them',
    body: 'document',
    errors: [400, 401, 403, 413, 429],
    read: ({ query, body, text }) => ({
      text: text?.content ?? '',
      format: query.over(body).text('format'),
      dryRun: query.over(body).boolean('dryRun'),
    }),
  }),
  route('GET', '/url/get/{uniqueId}/logs/export', {
    procedure: 'url.exportVisits',
    summary: 'Every visit in the log of a short URL, the oldest first, as CSV or JSON',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...itemOf(wire), ...hostOf(wire), format: wire.query.text('format') }),
    responds: { types: ['text/csv'] },
    message: z.array(exportedVisit),
    reply: linesReply as never,
  }),
  route('GET', '/url/get/{uniqueId}/logs', {
    procedure: 'url.logs',
    summary: 'The visits of a short URL, newest first',
    errors: [400, 401, 404],
    read: (wire) => ({
      ...itemOf(wire),
      ...hostOf(wire),
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
    read: (wire) => ({ ...deletedItemOf(wire), ...hostOf(wire) }),
    reply: done,
  }),
  route('GET', '/user/get/@me/utm', {
    procedure: 'url.presets',
    summary: 'The presets of campaign parameters (`utm_source` …) for new links',
    errors: [401, 403],
    message: z.array(presetRecord),
    reply: ({ presets }) => message(presets),
  }),
  route('GET', '/user/get/@me/utm/{name}', {
    procedure: 'url.preset',
    summary: 'One preset',
    errors: [400, 401, 403, 404],
    read: presetIn,
  }),
  route('PUT', '/user/get/@me/utm/{name}', {
    procedure: 'url.putPreset',
    summary: 'Store a preset, in place of one of this name',
    errors: [400, 401, 403],
    read: (wire) => ({
      ...presetIn(wire),
      source: wire.body.text('source'),
      medium: wire.body.text('medium'),
      campaign: wire.body.text('campaign'),
      term: wire.body.text('term'),
      content: wire.body.text('content'),
    }),
  }),
  route('DELETE', '/user/get/@me/utm/{name}', {
    procedure: 'url.deletePreset',
    summary: 'Delete a preset; links made with it stay as they are',
    errors: [400, 401, 403, 404],
    read: presetIn,
    responds: { kind: 'done' },
    reply: () => done({}),
  }),
  route('GET', '/user/get/@me/link-digest', {
    procedure: 'url.digest',
    summary: 'Whether a mail tells once a week which targets of the own links do not answer',
    errors: [401, 403],
  }),
  route('PUT', '/user/get/@me/link-digest', {
    procedure: 'url.setDigest',
    summary: 'Ask for that mail, or for none',
    errors: [400, 401, 403],
    read: ({ body }) => ({ weekly: body.boolean('weekly') as boolean }),
  }),
  route('GET', '/qr/{uniqueId}', {
    procedure: 'url.qr',
    summary: 'The QR code of a short link: its id, then `.svg` or `.png`',
    responds: { kind: 'content', types: ['image/svg+xml', 'image/png'] },
    errors: [400, 403, 404],
    atRoot: true,
    deep: true,
    read: (wire) => {
      const [, uniqueId = '', type] =
        /^(.*)\.(svg|png)$/i.exec(wire.params.uniqueId ?? '') ?? fail('NOT_FOUND');
      const { query } = wire;
      return {
        ...{ uniqueId, type: type?.toLowerCase() as 'svg', password: passwordOf(wire) },
        ...hostOf(wire),
        ...{ size: query.number('size'), margin: query.number('margin'), level: query.filled('level') },
        ...{ color: query.filled('color'), background: query.filled('background') },
        logo: query.boolean('logo') ?? undefined,
      };
    },
    reply: ({ svg, png, shared }) => {
      const headers = { 'cache-control': shared ? 'public, max-age=3600' : 'private, no-cache' };
      if (png === null) return text(svg ?? '', { ...headers, 'content-type': 'image/svg+xml' });
      return pictureReply(png, headers);
    },
  }),
  route('GET', '/url/r/{uniqueId}', {
    procedure: 'url.visit',
    summary: 'Follow a short URL; counts one visit',
    responds: { kind: 'redirect', status: 301 },
    shown: true,
    deep: true,
    errors: [302, 403, 404],
    // Without a spread, as for images: this runs for every visit.
    read: (wire) => ({
      uniqueId: wire.params.uniqueId ?? '',
      password: passwordOf(wire),
      head: wire.method === 'HEAD',
      prefersPage: prefersPage(wire),
      referrer: wire.header('referer'),
      prefetch: isPrefetch(wire.header),
      query: wire.search,
      language: wire.header('accept-language'),
    }),
    reply: (visited) => redirect(visited.location, visited.permanent ? 301 : 302),
    hot: true,
  }),
];
