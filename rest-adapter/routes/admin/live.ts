import { route } from '../../route.js';
import type { Wire } from '../../wire.js';

const idOf = ({ params }: Wire) => ({ id: params.id ?? '' });

/** The open pages of a separate front end. */
export const liveRoutes = [
  route('GET', '/admin/active-sessions', {
    procedure: 'live.list',
    summary: 'The open pages of the front end, in every process',
    errors: [401, 403],
  }),
  route('POST', '/admin/active-sessions/{id}/toast', {
    procedure: 'live.toast',
    summary: 'Show a message on an open page',
    errors: [400, 401, 403, 404],
    read: (wire) => ({
      ...idOf(wire),
      message: wire.body.required('message'),
      type: wire.body.word('type', 'toastType'),
      position: wire.body.word('position'),
    }),
    says: 'Toast sent',
  }),
  route('POST', '/admin/active-sessions/{id}/redirect', {
    procedure: 'live.redirect',
    summary: 'Send an open page to another path of the front end',
    errors: [400, 401, 403, 404],
    read: (wire) => ({ ...idOf(wire), route: wire.body.required('route') }),
    says: 'Redirect sent',
  }),
  route('POST', '/admin/active-sessions/{id}/logout', {
    procedure: 'live.logout',
    summary: 'End the session that an open page is signed in with',
    errors: [401, 403, 404],
    read: idOf,
    says: 'Session logged out',
  }),
  route('DELETE', '/admin/active-sessions/{id}', {
    procedure: 'live.close',
    summary: 'Close the connection of an open page',
    errors: [401, 403, 404],
    read: idOf,
    says: 'Session closed',
  }),
];
