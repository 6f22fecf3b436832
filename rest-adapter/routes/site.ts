import { readiness, serviceStatus } from '../../routers/app/site.js';
import { done, failed, message, redirect } from '../reply/reply.js';
import { route } from '../route.js';
import { isPrefetch, itemWithPassword, prefersLink, prefersPage } from '../wire.js';

/** The service itself. */
export const siteRoutes = [
  route('GET', '/', {
    procedure: 'site.status',
    summary: 'About this service; a page for browsers',
    responds: { types: ['text/html'] },
    atRoot: true,
    beside: serviceStatus.shape,
    reply: (status) => message(status, { extra: status }),
  }),
  route('GET', '/status', {
    procedure: 'site.check',
    summary: 'Health of the service',
    responds: { failing: [503] },
    atRoot: true,
    message: serviceStatus,
    beside: serviceStatus.shape,
    reply: ({ status, isPortal }) =>
      status.status === 'ok' || isPortal
        ? message(status, { extra: status })
        : failed(503, 'A part of the service is failing', status),
  }),
  route('GET', '/healthz', {
    procedure: 'site.alive',
    summary: 'Whether the process serves requests; asks neither database nor store',
    atRoot: true,
    reply: done,
  }),
  route('GET', '/readyz', {
    procedure: 'site.ready',
    summary: 'Whether the process should get requests: database and store answer, and it is not stopping',
    responds: { failing: [503] },
    atRoot: true,
    beside: readiness.shape,
    reply: (state) =>
      state.ready ? message(state, { extra: state }) : failed(503, 'Not ready for requests', state),
  }),
  route('GET', '/r/{uniqueId}', {
    procedure: 'site.follow',
    summary: 'Follow a short link of any kind',
    responds: { kind: 'redirect', status: 301 },
    shown: true,
    errors: [302, 403, 404],
    atRoot: true,
    deep: true,
    read: (wire) => ({
      ...itemWithPassword(wire),
      host: wire.header('host')?.toLowerCase() ?? null,
      head: wire.method === 'HEAD',
      prefersPage: prefersPage(wire),
      prefersText: prefersLink(wire),
      referrer: wire.header('referer'),
      prefetch: isPrefetch(wire.header),
      query: wire.search,
      language: wire.header('accept-language'),
    }),
    reply: (visited) => redirect(visited.location, visited.permanent ? 301 : 302),
  }),
];
