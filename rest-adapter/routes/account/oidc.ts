import { redirect } from '../../reply/reply.js';
import { route } from '../../route.js';
import { pageIn, rowIdIn, type Wire } from '../../wire.js';

const named = ({ params }: Wire) => ({ name: params.name ?? '' });

/** Signing in with OpenID Connect. */
export const oidcRoutes = [
  route('GET', '/auth/providers', {
    procedure: 'oidc.providers',
    summary: 'How one can sign in here, and the providers of OpenID Connect',
    errors: [400],
    read: pageIn,
  }),
  route('GET', '/auth/oidc/{name}/start', {
    procedure: 'oidc.start',
    summary: 'Redirect to a provider to sign in or to link an identity',
    startsLink: true,
    responds: { kind: 'redirect', status: 302 },
    errors: [400, 401, 403, 404, 409, 429, 502],
    // Linking needs a session, signing in does not.
    credentials: [],
    read: (wire) => ({
      ...named(wire),
      intent: wire.query.word('intent') as 'login' | 'link' | undefined,
      next: wire.query.text('next'),
      invite: wire.query.text('invite', 'inviteCode'),
    }),
    reply: ({ location }) => redirect(location, 302),
  }),
  route('GET', '/auth/oidc/{name}/callback', {
    procedure: 'oidc.callback',
    summary: 'Where a provider sends a browser back to',
    responds: { kind: 'redirect', status: 302 },
    errors: [400, 401, 403, 404, 409, 429, 502],
    credentials: [],
    read: (wire) => ({ ...named(wire), state: wire.query.text('state'), query: wire.search }),
    reply: ({ location }) => redirect(location, 302),
  }),
  route('GET', '/auth/oidc/{name}/logout', {
    procedure: 'oidc.logout',
    summary: 'Redirect to the provider to sign out there, after signing out here',
    responds: { kind: 'redirect', status: 302 },
    errors: [400, 404, 409, 502],
    read: named,
    reply: ({ location }) => redirect(location, 302),
  }),
  route('GET', '/user/get/@me/identities', {
    procedure: 'oidc.identities',
    summary: 'The identities at providers that can sign in to the account',
    errors: [400, 401, 403],
    read: pageIn,
  }),
  route('DELETE', '/user/get/@me/identities/{id}', {
    procedure: 'oidc.unlink',
    summary: 'Unlink an identity; needs the password or a session of the last ten minutes',
    errors: [400, 401, 403, 404, 429],
    read: ({ params, body }) => ({ id: rowIdIn(params.id), password: body.text('password') }),
    says: 'The identity was unlinked',
  }),
];
